import type { PauseReason } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { after, minute, monotonicNow } from '../../../lib/clock.ts';
import { describeReachedLimit } from '../../credits/spending.ts';
import { type BatchModel, isModelRemoved } from '../../prompts/models.ts';
import { notifyOfPause } from '../emails.ts';
import { newRateWindow } from '../rate-window.ts';
import { queueSlices } from '../slices/queue.ts';
import { promptBatches } from '../slices/sizes.ts';
import {
  type BatchRow,
  doneRows,
  listPausedFor,
  lockBatch,
  probeStorage,
  updateBatch,
} from '../store/batches.ts';
import { deleteCooldowns } from '../store/cooldowns.ts';
import { listNextWaiting } from '../store/list-batches.ts';

/** A pause by the engine itself. */
export interface EnginePause {
  reason: Exclude<PauseReason, 'person'>;
  /** What the provider said. The monthly limit is described where it is the reason. */
  detail?: string;
  /** When it resumes by itself, on the clock of outcomes. */
  retryAt?: number;
}

/** Pauses a running batch that the engine cannot continue, and emails its owner once per reason. */
export async function pauseByEngine(
  ctx: Context,
  { batchId, reason, detail, retryAt }: EnginePause & { batchId: string },
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const batch = await lockBatch(ctx.db, batchId);
    if (batch?.state !== 'running') return;
    // An economy batch waits for capacity by design, so its owner gets no email.
    const isUsual = reason === 'no_capacity';
    const now = ctx.clock.now();
    const paused = await updateBatch(ctx.db, batchId, {
      state: 'paused',
      pause_reason: reason,
      pause_detail: detail ?? (await limitOf(ctx, batch, reason)),
      paused_at: now,
      resume_at: retryAt === undefined ? null : after(now, retryAt - monotonicNow()),
      ...(!isUsual && { notified_pause_reason: reason }),
    });
    // An outage that comes and goes gets one email.
    if (!isUsual && batch.notified_pause_reason !== reason) await notifyOfPause(ctx, paused);
    await ctx.publish(ctx.db, { user_id: batch.user_id, batch_id: batchId, state: 'paused' });
    record(ctx, 'batch_paused', { user_id: batch.user_id, batch: batchId, reason });
  });
}

/** When the monthly limit is reached, buying more does not help. */
async function limitOf(ctx: Context, batch: BatchRow, reason: PauseReason): Promise<string | null> {
  if (reason !== 'needs_credits') return null;
  return describeReachedLimit(ctx, batch.user_id, batch.price);
}

type Outage = 'provider_down' | 'provider_refused' | 'storage_full' | 'no_capacity';

/** Resumes all batches that the engine paused for an outage. One that fails stops no other. */
export async function resumeAfterOutage(
  ctx: Context,
  outage: Outage | readonly Outage[],
  isConcerned: (batch: PausedBatch) => boolean = () => true,
): Promise<void> {
  const reasons = [outage].flat();
  const errors: unknown[] = [];
  for (const batch of await listPausedFor(ctx.db, ...reasons))
    if (isConcerned(batch))
      await resume(ctx, batch.id, reasons).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/**
 * Asks again whether there is capacity. Not with all batches of a client: thousands would start and
 * pause every minute.
 */
export async function resumeEconomy(ctx: Context, { userId }: { userId?: string }): Promise<void> {
  const next = new Set(await listNextWaiting(ctx.db, { userId, most: promptBatches }));
  if (next.size > 0) await resumeAfterOutage(ctx, 'no_capacity', ({ id }) => next.has(id));
}

/** A provider that is down longer pauses them again, without another email. */
const missedAfter = 2 * minute;

/** Batches whose outage ended without their process: it died, or the database was down then. */
export async function resumeMissed(
  ctx: Context,
  isUp: (batch: PausedBatch) => boolean,
): Promise<void> {
  const before = after(ctx.clock.now(), -missedAfter);
  await resumeAfterOutage(
    ctx,
    'provider_down',
    (batch) => batch.paused_at !== null && batch.paused_at <= before && isUp(batch),
  );
}

type PausedBatch = Awaited<ReturnType<typeof listPausedFor>>[number];

/** Every minute: those whose provider has its quota of the day again. */
export async function resumeRenewed(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const isRenewed = ({ resume_at: at }: PausedBatch) => at !== null && at <= now;
  await resumeAfterOutage(ctx, 'provider_refused', isRenewed);
}

/** What an operator has changed or tested. */
interface Fixed {
  provider?: string;
  model?: string;
}

export const mayBeFixed = ['provider_refused', 'provider_down'] as const;

/**
 * Queues the resumption of the batches that were paused there, and returns how many there are. A
 * cooldown of the provider ends: another key may be called, or the operator bought more.
 */
export async function queueFixed(ctx: Context, fixed: Fixed): Promise<number> {
  if (fixed.provider !== undefined) await endCooldowns(ctx, fixed.provider);
  const paused = await listPausedFor(ctx.db, ...mayBeFixed);
  const concerned = paused.filter((batch) => isConcerned(ctx, batch, fixed));
  if (concerned.length > 0)
    await ctx.enqueue(ctx.db, { name: 'batches.resume-refused', payload: fixed });
  return concerned.length;
}

/** Of a provider key whose calls may be answered again. */
export async function endCooldowns(ctx: Context, key: string): Promise<void> {
  if ((await deleteCooldowns(ctx.db, key)) > 0)
    await ctx.publish(ctx.db, { user_id: '', cooldown_ended: key });
}

/** By provider: how many batches it paused, and what it said last. */
export async function listPauses(ctx: Context) {
  const pauses = new Map<string, { batches: number; reason: string | null }>();
  for (const batch of await listPausedFor(ctx.db, ...mayBeFixed)) {
    if (isModelRemoved(ctx, batch)) continue;
    const provider = ctx.models.keyOf(batch.model);
    const { batches = 0, reason = null } = pauses.get(provider) ?? {};
    pauses.set(provider, { batches: batches + 1, reason: batch.pause_detail ?? reason });
  }
  return pauses;
}

/** Each resumes once. If the provider still refuses or is down, it pauses again. */
export async function resumeFixed(ctx: Context, fixed: Fixed): Promise<void> {
  await ctx.models.reload();
  await resumeAfterOutage(ctx, mayBeFixed, (batch) => isConcerned(ctx, batch, fixed));
}

/** A turned-off provider leaves its rows to the fallback, which may be the one that refused. */
function isConcerned(ctx: Context, batch: BatchModel, { provider, model }: Fixed): boolean {
  if (batch.model === model) return true;
  // Without its settings, it would count as a model of the environment's provider.
  if (isModelRemoved(ctx, batch)) return false;
  const { models } = ctx;
  const fallback = models.find(batch.model)?.fallback;
  return [batch.model, fallback].some((name) => name && models.keyOf(name) === provider);
}

/** Larger than the free space within the pages of a table, so that the table has to grow. */
const probeBytes = 1_000_000;

/** Nothing reports that a full disk has space again. The insert fails while it is full. */
export async function resumeWhenStorable(ctx: Context): Promise<void> {
  if ((await listPausedFor(ctx.db, 'storage_full')).length === 0) return;
  try {
    await probeStorage(ctx.db, '.'.repeat(probeBytes));
  } catch (error) {
    ctx.log.warn({ err: error }, 'the storage is still full');
    return;
  }
  await resumeAfterOutage(ctx, 'storage_full');
}

async function resume(ctx: Context, batchId: string, reasons: readonly Outage[]): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const batch = await lockBatch(ctx.db, batchId);
    if (batch?.state !== 'paused' || !reasons.some((one) => one === batch.pause_reason)) return;
    const resumed = await updateBatch(ctx.db, batchId, {
      state: 'running',
      pause_reason: null,
      pause_detail: null,
      ...newRateWindow(ctx.clock.now(), doneRows(batch)),
    });
    const queued = await queueSlices(ctx, resumed);
    await ctx.publish(ctx.db, { user_id: batch.user_id, batch_id: batchId, state: 'running' });
    record(ctx, 'batch_played', { user_id: batch.user_id, batch: batchId });
    // The rows in flight may have used up the reservation. A retry queues its own slices.
    if (queued === 0 && resumed.retry_position === null)
      await pauseByEngine(ctx, { batchId, reason: 'needs_credits' });
  });
}
