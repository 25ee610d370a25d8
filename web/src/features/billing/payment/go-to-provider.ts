import * as texts from '../../../texts/billing.ts';

/** Follows only web addresses, because other schemes could run as scripts. */
export function goToProvider(address: string): void {
  const url = new URL(address, location.origin);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(texts.unusableAddress);
  location.assign(url);
}
