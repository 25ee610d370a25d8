import type { TaxIncluded } from '@rowmill/contract';
import * as texts from '../texts/lib.ts';
import { formatNumber } from './format.ts';

/** The part of every price that is tax, in words. */
export function taxWords({ name, percent }: TaxIncluded): string {
  return percent === 0
    ? texts.untaxed(name)
    : texts.taxed({ percent: formatNumber(percent), name });
}
