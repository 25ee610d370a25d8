import { once } from 'node:events';
import { type ApiClient, sheetOf, signInDemo } from '../../harness/api-client.ts';
import {
  behave,
  callsAt,
  kill9,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../harness/processes.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { hour, minute } from '../../src/lib/clock.ts';
import { model } from '../support/models.ts';
import { finishBatch } from './repeated-kills.ts';
import { embedded, pass, readTotals } from './totals.ts';

export const concurrency = 16;
const normalPrice = 3;
/** Half of it, rounded up. */
export const economyPrice = 2;
/** From then on the flex tier is not asked. */
const nearMilliseconds = 12 * minute;

export interface EconomyReport {
  answered: number;
  failed: number;
  charged: number;
  spent: number;
  /** Of a row, as it was promised, and after the kills. */
  prices: [number, number];
  /** The deadline was the promised one after the first kill. */
  hasDeadline: boolean;
  endedInTime: boolean;
  /** Why it was paused when it was killed the second time. */
  pauseReason: string | null;
  /** Answered calls by tier, and those for which there was no capacity. */
  flex: number;
  normal: number;
  withoutCapacity: number;
  repeatedAnswers: number;
  brokenInvariants: string[];
}

/**
 * A batch with a deadline is killed twice: at a point in the life of a row while there is capacity
 * for some, and while it waits for capacity. Then its deadline is near, and the rest goes to the
 * normal tier.
 */
export async function killEconomy(rows: number): Promise<EconomyReport> {
  await using chat = await startFakeChatProcess('--latency', '20');
  await behave(chat.url, { shareWithoutFlex: 0.3 });
  const directory = await prepareData();
  await offerFlex(directory);
  const env = {
    LOG_LEVEL: 'silent',
    CHAT_BASE_URL: chat.url,
    CHAT_CONCURRENCY: `${concurrency}`,
    FAULT_POINT: '',
  };
  const first = await startProduct({ ...env, FAULT_POINT: 'after-commit:4' }, directory, {
    keeps: true,
  });
  const killed = once(first.process, 'exit');
  const finishBy = new Date(Date.now() + 10 * hour).toISOString();
  const client = await signInDemo(first.url);
  const file = await client.upload(sheetOf(rows));
  // The answer to the start may be lost with the process.
  await client.start(file, 'Say {{Row}}', { finish_by: finishBy }).catch(() => {});
  await killed;
  await behave(chat.url, { shareWithoutFlex: 1 });
  const second = await startProduct(env, directory, { keeps: true });
  const waiting = await whenPaused(await signInDemo(second.url));
  await kill9(second);
  const deadline = new Date(Date.now() + nearMilliseconds);
  await moveDeadline(directory, deadline);
  const ended = await finishBatch(env, directory, waiting.id);
  const { spent, brokenInvariants } = await readTotals(embedded(directory));
  const calls = await callsAt(chat.url);
  const answers = calls.filter(({ status }) => status === 200);
  const flex = answers.filter(({ options }) => options?.service_tier === 'flex').length;
  return {
    answered: ended.answered,
    failed: ended.failed,
    charged: ended.charged,
    spent,
    prices: [waiting.price, ended.price],
    hasDeadline: waiting.finish_by === finishBy,
    endedInTime: Date.parse(ended.ended_at ?? '') < deadline.getTime(),
    pauseReason: waiting.pause_reason,
    flex,
    normal: answers.length - flex,
    withoutCapacity: calls.filter(({ status }) => status === 429).length,
    repeatedAnswers: answers.length - new Set(answers.map(({ prompt }) => prompt)).size,
    brokenInvariants,
  };
}

async function whenPaused(client: ApiClient) {
  for (;;) {
    const { files } = await client.call('getProcessedFiles', { start: 0, limit: 1 });
    const [batch] = files;
    if (batch?.state === 'paused') return batch;
    await pass(50);
  }
}

/** Of the model of the harness. */
async function offerFlex(directory: string): Promise<void> {
  await using database = await openDatabase(embedded(directory));
  const flexible = model('fake', { price: normalPrice, has_flex: true });
  await database.db.insertInto('models').values(flexible).execute();
}

async function moveDeadline(directory: string, deadline: Date): Promise<void> {
  await using database = await openDatabase(embedded(directory));
  await database.db.updateTable('batches').set({ finish_by: deadline }).execute();
}
