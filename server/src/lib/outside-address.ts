import { lookup as lookUp } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Link-local addresses and clouds' metadata services, which give out credentials. */
const refused = new BlockList();
const refusedV4 = [
  ['169.254.0.0', 16],
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
] as const;
for (const [address, bits] of refusedV4) {
  refused.addSubnet(address, bits, 'ipv4');
  // The same machine behind NAT64 and 6to4.
  const [one = 0, two = 0, three = 0, four = 0] = address.split('.').map(Number);
  const groups = `${(one * 256 + two).toString(16)}:${(three * 256 + four).toString(16)}`;
  refused.addSubnet(`64:ff9b::${groups}`, 96 + bits, 'ipv6');
  refused.addSubnet(`2002:${groups}::`, 16 + bits, 'ipv6');
}
refused.addSubnet('fe80::', 10, 'ipv6');
refused.addAddress('fd00:ec2::254', 'ipv6');
refused.addAddress('::', 'ipv6');
const refusedNames = /^(metadata|instance-data)(\.|$)/i;

/** Whether an address that a person typed may be called. Names are checked when resolved. */
export function mayCallAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(host) ? !isRefused(host) : !refusedNames.test(host);
}

/** For sockets: refuses a name that resolves to a refused address now. */
export const safeLookup: LookupFunction = (host, options, callback) => {
  lookUp(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    const allowed = addresses.filter(({ address }) => !isRefused(address));
    const [first] = allowed;
    if (!first) return callback(new RefusedAddress(), '', 0);
    if (options.all) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
};

class RefusedAddress extends Error {
  readonly code = 'REFUSED_ADDRESS';
}

function isRefused(address: string): boolean {
  return refused.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
