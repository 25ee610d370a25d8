import { type CreditPack, maximumQuantity } from '@rowmill/contract';

export interface Choice<P = CreditPack> {
  pack: P;
  quantity: number;
}

type Priced = Pick<CreditPack, 'id' | 'count' | 'rate_minor'>;

interface Combination<P> {
  choices: readonly Choice<P>[];
  cost: number;
  submissions: number;
}

/** Most catalogues take a few dozen; one of packs at almost the same price would take forever. */
const mostSteps = 5_000;

/**
 * The packs that hold at least an amount for the lowest price, large ones first. At the same price,
 * those that hold more.
 */
export function packsFor<P extends Priced>(amount: number, packs: readonly P[]): Choice<P>[] {
  const usable = packs
    .filter(({ count }) => count > 0)
    .sort((one, other) => priceOfOne(one) - priceOfOne(other) || other.count - one.count);
  if (amount <= 0) return [];
  return cheapest(amount, usable)
    .choices.filter(({ quantity }) => quantity > 0)
    .sort((one, other) => other.pack.count - one.pack.count);
}

const priceOfOne = ({ rate_minor, count }: Priced) => rate_minor / count;

/** Tries many of a cheap pack first, and leaves out what costs more than the best found so far. */
function cheapest<P extends Priced>(amount: number, packs: readonly P[]): Combination<P> {
  let best: Combination<P> = { choices: [], cost: Number.POSITIVE_INFINITY, submissions: 0 };
  let steps = 0;
  function look(index: number, made: Combination<P>): void {
    const missing = amount - made.submissions;
    if (missing <= 0) {
      if (isBetter(made, best)) best = made;
      return;
    }
    const pack = packs[index];
    if (!pack) return;
    const next = packs[index + 1];
    const priceOfRest = next ? priceOfOne(next) : Number.POSITIVE_INFINITY;
    const most = Math.min(maximumQuantity, Math.ceil(missing / pack.count));
    for (let quantity = most; quantity >= 0; quantity--) {
      const more = withMore(made, { pack, quantity });
      const rest = amount - more.submissions;
      // With fewer of this pack, the rest costs at least as much.
      if (rest > 0 && more.cost + rest * priceOfRest > best.cost) return;
      if (++steps > mostSteps) return;
      look(index + 1, more);
    }
  }
  look(0, { choices: [], cost: 0, submissions: 0 });
  return best;
}

function withMore<P extends Priced>(
  { choices, cost, submissions }: Combination<P>,
  choice: Choice<P>,
): Combination<P> {
  const { pack, quantity } = choice;
  return {
    choices: [...choices, choice],
    cost: cost + pack.rate_minor * quantity,
    submissions: submissions + pack.count * quantity,
  };
}

function isBetter<P>(one: Combination<P>, other: Combination<P>): boolean {
  return one.cost < other.cost || (one.cost === other.cost && one.submissions > other.submissions);
}
