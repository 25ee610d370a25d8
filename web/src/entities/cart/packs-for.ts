import type { CreditPack } from '@rowmill/contract';

export interface Choice<P = CreditPack> {
  pack: P;
  quantity: number;
}

type Priced = Pick<CreditPack, 'id' | 'count' | 'rate_minor'>;

/**
 * Composes an amount from packs: large ones first, then smaller ones. If the small ones cost as
 * much as one more large pack, take that.
 */
export function packsFor<P extends Priced>(amount: number, packs: readonly P[]): Choice<P>[] {
  const usable = packs
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
  return amount > 0 ? fill(amount, usable) : [];
}

function fill<P extends Priced>(amount: number, [pack, ...smaller]: readonly P[]): Choice<P>[] {
  if (!pack || amount <= 0) return [];
  const whole = Math.floor(amount / pack.count);
  const rest = amount - whole * pack.count;
  const inSmaller = fill(rest, smaller);
  const isOneMore = rest > 0 && (inSmaller.length === 0 || costOf(inSmaller) >= pack.rate_minor);
  if (isOneMore) return [{ pack, quantity: whole + 1 }];
  return whole > 0 ? [{ pack, quantity: whole }, ...inSmaller] : inSmaller;
}

function costOf(choices: readonly Choice<Priced>[]): number {
  return choices.reduce((sum, { pack, quantity }) => sum + pack.rate_minor * quantity, 0);
}
