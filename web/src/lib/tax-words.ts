import type { TaxIncluded } from '@rowmill/contract';
import { formatNumber } from './format.ts';

/** The part of every price that is tax, in words. */
export function taxWords({ name, percent }: TaxIncluded): string {
  return percent === 0 ? `no ${name}` : `${formatNumber(percent)} % ${name}`;
}
