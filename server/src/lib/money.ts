/** Decimal places of a currency: two for most, none or three for some. */
export function placesOf(currency: string): number {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits ?? 2
  );
}

/** Minor units as decimal text for people and PayPal, without floating point. */
export function toDecimal(minor: number, currency: string): string {
  const places = placesOf(currency);
  if (places === 0) return String(minor);
  const digits = String(Math.abs(minor)).padStart(places + 1, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Decimal text as minor units; NaN if it is not a number or has too many decimal places. */
export function fromDecimal(text: string, currency: string): number {
  const places = placesOf(currency);
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '' || /[1-9]/.test(fraction.slice(places))) return Number.NaN;
  return Number(`${sign}${whole}${fraction.slice(0, places).padEnd(places, '0')}`);
}

/** For people: £6.00. */
export function formatMoney(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
  return format.format(toDecimal(minor, currency) as Intl.StringNumericLiteral);
}

/** For PDFs, because their fonts lack most currency signs: GBP 6.00. */
export function formatWithCode(minor: number, currency: string): string {
  const [whole, ...fraction] = toDecimal(minor, currency).split('.');
  return `${currency} ${[Number(whole).toLocaleString('en'), ...fraction].join('.')}`;
}
