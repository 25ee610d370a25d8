import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

export type Signer = ReturnType<typeof makeSigner>;

/**
 * A key with a self-signed certificate. Node can read certificates but not create them, so its
 * fields are encoded here.
 */
export function makeSigner(commonName: string) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    pem: selfSigned(publicKey, privateKey, commonName),
    sign: (text: string) => signed(privateKey, text).toString('base64'),
  };
}

function signed(key: KeyObject, content: string | Buffer): Buffer {
  return createSign('sha256').update(content).sign(key);
}

const sequence = 0x30;
const set = 0x31;
const integer = 0x02;
const bits = 0x03;
const time = 0x17;
const utf8 = 0x0c;
const sha256WithRsa = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
const commonNameId = Buffer.from('0603550403', 'hex');

function selfSigned(publicKey: KeyObject, privateKey: KeyObject, commonName: string): string {
  const name = der(
    sequence,
    der(set, der(sequence, commonNameId, der(utf8, Buffer.from(commonName)))),
  );
  const validity = der(
    sequence,
    der(time, Buffer.from('200101000000Z')),
    der(time, Buffer.from('491231235959Z')),
  );
  const serial = der(integer, Buffer.from([1]));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(sequence, serial, sha256WithRsa, name, validity, name, key);
  const certificate = der(
    sequence,
    body,
    sha256WithRsa,
    der(bits, Buffer.from([0]), signed(privateKey, body)),
  );
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 0x80 ? [] : length < 0x100 ? [0x81] : [0x82, length >> 8];
  return Buffer.concat([Buffer.from([tag, ...long, length & 0xff]), content]);
}
