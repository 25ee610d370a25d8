import { type CatalogueItem, catalogueLimits } from '@rowmill/contract';
import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import type { Handler } from '../../core/handlers.ts';
import { assertUpToDate, refuse, refuseField, refuseFields } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import * as texts from '../../texts/catalogue.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { isUnchanged, validatePlan } from './rules.ts';
import {
  countOnSale,
  getCataloguePack,
  getCataloguePlan,
  getPricing,
  insertPack,
  insertPlan,
  isNameTaken,
  lockPack,
  lockPlan,
  lockPricing,
  setCurrency,
  setEditor,
  updatePack,
  updatePlan,
  updateTax,
} from './store.ts';

/** Orders and subscriptions have a copy of their terms, so changes do not affect them. */
export const savePlan: Handler<'savePlan'> = async (ctx, actor, request) => {
  const { id, version, ...wanted } = request;
  return inTransaction(ctx, async (ctx) => {
    const { currency } = await lockPricing(ctx.db);
    const present = id === undefined ? null : await lockPlan(ctx.db, id);
    if (present === undefined) refuse('not_found');
    assertUpToDate(present, version);
    const fields = validatePlan(wanted, present);
    refuseFields(fields);
    const named = { name: wanted.name, exceptId: id };
    if (wanted.is_sold && (await isNameTaken(ctx.db, 'plans', named)))
      refuseField('name', texts.planNameTaken);
    if (wanted.is_sold && !present?.is_sold) await refuseFullSale(ctx, 'plans');
    const planId = present?.id ?? newId(ctx.clock.now());
    if (!present || !isUnchanged(present, { ...wanted, currency })) {
      const values = { ...wanted, currency, features: JSON.stringify(wanted.features) };
      await setChangeAuthor(ctx, actor, { item: 'plan', name: wanted.name });
      if (present) await updatePlan(ctx.db, planId, values);
      else await insertPlan(ctx.db, { ...values, id: planId });
    }
    const plan = await getCataloguePlan(ctx.db, { id: planId, now: ctx.clock.now() });
    return { plan, message: texts.planSaved(plan.name) };
  });
};

/** Orders keep their price in their lines; an order compares its cart with the new price. */
export const savePack: Handler<'savePack'> = async (ctx, actor, request) => {
  const { id, version, ...wanted } = request;
  return inTransaction(ctx, async (ctx) => {
    const { currency } = await lockPricing(ctx.db);
    const present = id === undefined ? null : await lockPack(ctx.db, id);
    if (present === undefined) refuse('not_found');
    assertUpToDate(present, version);
    const named = { name: wanted.name, exceptId: id };
    if (wanted.is_sold && (await isNameTaken(ctx.db, 'packs', named)))
      refuseField('name', texts.packNameTaken);
    if (wanted.is_sold && !present?.is_sold) await refuseFullSale(ctx, 'packs');
    const values = { ...wanted, currency };
    const packId = present?.id ?? newId(ctx.clock.now());
    if (!present || !isUnchanged(present, values)) {
      await setChangeAuthor(ctx, actor, { item: 'pack', name: wanted.name });
      if (present) await updatePack(ctx.db, packId, values);
      else await insertPack(ctx.db, { ...values, id: packId });
    }
    const pack = await getCataloguePack(ctx.db, packId);
    return { pack, message: texts.packSaved(pack.name) };
  });
};

/** A cart is paid in one currency, so all prices share it. A change keeps the numbers. */
export const savePricing: Handler<'savePricing'> = async (ctx, actor, request) => {
  const { version, ...wanted } = request;
  return inTransaction(ctx, async (ctx) => {
    const present = await lockPricing(ctx.db);
    assertUpToDate(present, version);
    if (!isUnchanged(present, wanted)) {
      const name = `${wanted.currency}, ${wanted.tax_name}`;
      await setChangeAuthor(ctx, actor, { item: 'pricing', name });
      await updateTax(ctx.db, wanted);
      if (wanted.currency !== present.currency) await setCurrency(ctx.db, wanted.currency);
    }
    return { pricing: await getPricing(ctx.db), message: texts.pricingSaved };
  });
};

async function refuseFullSale(ctx: Context, table: 'plans' | 'packs'): Promise<void> {
  const most = catalogueLimits.onSale;
  if ((await countOnSale(ctx.db, table)) >= most) refuseField('is_sold', texts.tooManyOnSale(most));
}

/** Runs before the change, in its transaction, to tell the history's trigger the author. */
async function setChangeAuthor(
  ctx: Context,
  actor: Actor,
  { item, name }: { item: CatalogueItem; name: string },
): Promise<void> {
  await setEditor(ctx.db, { actorId: actor.id, at: ctx.clock.now() });
  await writeAuditEntry(ctx, { actor, subjectId: actor.id }, 'catalogue_changed', { item, name });
  record(ctx, 'catalogue_changed', { actor_id: actor.id, item });
}
