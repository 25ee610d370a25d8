import type { Context } from '../core/context.ts';
import { storeRecoveredResults } from '../domains/batches/results/store-results.ts';
import { sliceQueueName } from '../domains/batches/slices/sizes.ts';
import { ServiceUnavailable } from '../lib/unavailable.ts';
import { AnswerJournal, type JournalledResult } from './answer-journal.ts';
import type { Corrections } from './corrections.ts';
import type { SliceSource } from './port.ts';

interface Parts {
  source: SliceSource;
  corrections: Corrections;
}

/** Stores the answers of killed processes, before their slices are read again. */
export async function replayJournals(ctx: Context, parts: Parts): Promise<void> {
  for (const journal of AnswerJournal.takeAbandoned(ctx.config.dataDirectory, ctx.log)) {
    using abandoned = journal;
    await replay(ctx, parts, abandoned);
  }
}

async function replay(
  ctx: Context,
  { source, corrections }: Parts,
  journal: AnswerJournal,
): Promise<void> {
  const entries = journal.read();
  const results = entries.filter((entry) => 'result' in entry);
  const left: JournalledResult[] = [];
  for (const [batchId, group] of Map.groupBy(results, (entry) => entry.batchId)) {
    try {
      const results = (await withValidLease(source, group)).map(({ result }) => result);
      const stored = await storeRecoveredResults(ctx, { batchId, results });
      ctx.log.info({ batch: batchId, rows: stored }, 'answers of a killed process were stored');
    } catch (error) {
      // They stay for the next attempt; rows of other errors are sent again.
      if (error instanceof ServiceUnavailable) left.push(...group);
      ctx.log.error({ err: error, batch: batchId }, 'could not store answers of a killed process');
    }
  }
  journal.keepOnly(left);
  for (const entry of entries) if ('correction' in entry) corrections.recall(entry);
}

/** A slice that was leased again, finished or deleted belongs to another process now. */
async function withValidLease(
  source: SliceSource,
  entries: readonly JournalledResult[],
): Promise<JournalledResult[]> {
  const valid: JournalledResult[] = [];
  for (const [, group] of Map.groupBy(entries, ({ lease }) => `${lease.id} ${lease.retryCount}`)) {
    const [first] = group;
    if (first && (await source.isLatestLease(sliceQueueName, first.lease))) valid.push(...group);
  }
  return valid;
}
