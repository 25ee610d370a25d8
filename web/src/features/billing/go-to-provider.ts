import * as texts from '../../texts/billing.ts';

/** Leaves for a page of the provider. Only a web address is followed, for any other kind could run as a script. */
export function goToProvider(address: string): void {
  const url = new URL(address, location.origin);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(texts.unusableAddress);
  location.assign(url);
}
