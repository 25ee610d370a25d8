import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { ApiClient } from '../../../harness/api-client.ts';
import { pass } from '../totals.ts';
import { attacks, type Target } from './attacks.ts';

/** What the calls of an attack were answered. */
export interface AttackResult {
  /** All calls of the attacker so far. */
  calls: number;
  /** The call that took longest. */
  slowest: number;
  /** By status; 0 is a broken connection. */
  statuses: Record<number, number>;
}

type Order = Omit<Target, 'attacker'> & { name: string; token: string };

/** In its own thread, because otherwise the attacker's work would delay the others. */
export function startAttack(
  name: string,
  { attacker, url, batchId, sheetId, bombSheetId, tallSheetId, calls }: Target,
): { end(): Promise<AttackResult> } {
  const sheets = { sheetId, bombSheetId, tallSheetId };
  const order = { name, token: attacker.token, url, batchId, ...sheets, calls };
  const worker = new Worker(import.meta.filename, { workerData: order satisfies Order });
  return {
    async end() {
      worker.postMessage('end');
      const [result] = (await once(worker, 'message')) as [AttackResult];
      return result;
    },
  };
}

async function attack({ name, token, ...order }: Order): Promise<AttackResult> {
  const found = attacks.find((each) => each.name === name);
  if (!found) throw new Error(`There is no attack ${name}.`);
  const target: Target = { ...order, attacker: new ApiClient(order.url, token) };
  const statuses: Record<number, number> = {};
  let [isOver, slowest, made] = [false, 0, 0];
  parentPort?.once('message', () => {
    isOver = true;
  });
  const { goesOnUntil } = found;
  const hasMetBound = () => goesOnUntil === undefined || (statuses[goesOnUntil] ?? 0) > 0;
  const callers = Array.from({ length: found.callers }, async (_, caller) => {
    // On a busy machine the first calls may end after the measurement.
    while (!isOver || made < 2 * found.callers || !hasMetBound()) {
      target.calls++;
      made++;
      const started = performance.now();
      const status = await found.step(target, caller);
      slowest = Math.max(slowest, performance.now() - started);
      statuses[status] = (statuses[status] ?? 0) + 1;
      await pass(10);
    }
  });
  await Promise.all(callers);
  return { calls: target.calls, slowest, statuses };
}

if (!isMainThread) parentPort?.postMessage(await attack(workerData as Order));
