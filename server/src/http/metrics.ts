import { endpoints } from '@rowmill/contract';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { measureQueue } from '../db/measure.ts';
import type { Db } from '../db/transaction.ts';
import type { ChatModel, ChatOutcome } from '../engine/port.ts';

const requestBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const providerBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** The client left before its answer began. Nginx uses the same number. */
const clientLeft = 499;

/**
 * One log line and one measurement per request, with the route pattern: an address may hold the
 * token of a link. `onResponse` is not called when the client has left.
 */
export function countRequests(app: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'rowmill_request_seconds',
    help: 'Time to answer a request, by route and status',
    labelNames: ['route', 'status'],
    buckets: requestBuckets,
    registers: [registry],
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      const { raw, elapsedTime: milliseconds } = reply;
      const { method, visitor, routeOptions, log } = request;
      const route = routeOptions.url ?? 'none';
      const status = raw.headersSent ? raw.statusCode : clientLeft;
      const user_id = visitor?.actor?.id;
      log.info({ method, route, status, milliseconds: Math.round(milliseconds), user_id });
      // How long a stream is open is not the time of an answer.
      if (route !== endpoints.events.path || status !== 200)
        seconds.observe({ route, status }, milliseconds / 1_000);
    });
  });
}

/** Telling the times of many calls at once takes less time. */
const maximumTimes = 1_000;

/** Every call to the provider of this process, of batches, previews and single prompts. */
export function measuredChat(chat: ChatModel, registry: Registry): ChatModel {
  const registers = [registry];
  // Counted here and exported at a scrape, because updating a labelled metric takes long.
  let inFlight = 0;
  const counts = new Map<ChatOutcome['kind'], number>();
  const times: number[] = [];
  new Gauge({
    name: 'rowmill_calls_in_flight',
    help: 'Calls to the provider that are under way',
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  new Counter({
    name: 'rowmill_calls_total',
    help: 'Calls to the provider by outcome: answered, try_later, broken, row_refused …',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of counts) this.inc({ outcome }, count);
    },
  });
  const seconds = new Histogram({
    name: 'rowmill_call_seconds',
    help: 'Time of a call to the provider',
    buckets: providerBuckets,
    registers,
    collect: reportTimes,
  });
  function reportTimes(): void {
    for (const time of times.splice(0)) seconds.observe(time);
  }
  return {
    ...chat,
    async ask(request) {
      const started = performance.now();
      inFlight++;
      try {
        const outcome = await chat.ask(request);
        counts.set(outcome.kind, (counts.get(outcome.kind) ?? 0) + 1);
        return outcome;
      } finally {
        inFlight--;
        times.push((performance.now() - started) / 1_000);
        if (times.length >= maximumTimes) reportTimes();
      }
    },
  };
}

/** The state of this worker, read at each scrape. */
export function measureEngine(engine: { isHeld: boolean }, registry: Registry): void {
  new Gauge({
    name: 'rowmill_breaker_open',
    help: '1 while the circuit breaker sends nothing, because the provider seems to be down',
    registers: [registry],
    collect() {
      this.set(engine.isHeld ? 1 : 0);
    },
  });
}

/** What waits in the database. Call the result before a scrape; all processes report the same. */
export function measureDatabase(db: Db, registry: Registry): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const latency = gauge('rowmill_database_seconds', 'Time of the smallest statement');
  const batches = gauge('rowmill_batches', 'Batches that have not ended, by state', ['state']);
  const rows = gauge('rowmill_rows_open', 'Rows of running batches without a result');
  const jobs = gauge('rowmill_jobs', 'Jobs by queue and state', ['queue', 'state']);
  const age = gauge('rowmill_job_age_seconds', 'Age of the oldest open job of a queue', ['queue']);
  const lease = gauge('rowmill_lease_age_seconds', 'Longest time without a heartbeat of a slice');
  const cooldown = gauge('rowmill_cooldown_seconds', 'Time until calls go on, by model', ['model']);
  const frozen = gauge('rowmill_frozen_accounts', 'Accounts frozen by a failed ledger check');
  const answers = gauge('rowmill_database_answers', '1 when the figures could be read');
  return async () => {
    const found = await measureQueue(db).catch(() => null);
    answers.set(found ? 1 : 0);
    for (const metric of [batches, jobs, age, cooldown]) metric.reset();
    // A reset would set these to 0.
    for (const metric of [latency, rows, frozen, lease]) metric.remove();
    if (!found) return;
    latency.set(found.seconds);
    rows.set(found.openRows);
    frozen.set(found.frozenAccounts);
    lease.set(found.leaseSeconds);
    for (const { model, seconds } of found.cooldowns) cooldown.set({ model }, seconds);
    for (const { state, count } of found.batches) batches.set({ state }, count);
    for (const { queue, state, count } of found.jobs) jobs.set({ queue, state }, count);
    for (const { queue, seconds } of found.ages) age.set({ queue }, seconds);
  };
}
