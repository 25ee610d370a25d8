import type { Context } from '../../context.ts';
import { findBrokenInvariants, invariantClaims } from '../../db/invariants.ts';

/** Enough to begin to look with. */
const shown = 20;

/** Looks now, and says of each claim about the books whether it holds. Nothing is put right by itself. */
export async function checkInvariants(ctx: Context) {
  const broken = new Map(
    (await findBrokenInvariants(ctx.db)).map(({ invariant, ids }) => [invariant, ids]),
  );
  const invariants = invariantClaims.map((claim) => {
    const ids = broken.get(claim) ?? [];
    return { claim, broken_by: ids.slice(0, shown), broken: ids.length };
  });
  return { invariants, checked_at: ctx.clock.now().toISOString() };
}
