import { join } from 'node:path';
import { maximumCountedValues } from '@rowmill/contract';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { withCorrection } from './adapters/answer-columns.ts';
import { Argon2Passwords } from './adapters/argon2-passwords.ts';
import { OutboxMail } from './adapters/outbox-mail.ts';
import { smtpMail } from './adapters/smtp-mail.ts';
import { stoppableChat } from './adapters/stoppable-chat.ts';
import type { Config } from './config/config.ts';
import type { requestTimes } from './config/limits.ts';
import { listen } from './config/start-needs.ts';
import type { Context } from './core/context.ts';
import { EventBus, type Notice } from './core/event-bus.ts';
import { createEventCounter } from './core/events.ts';
import { openFaultPoint } from './core/fault-point.ts';
import { createLog } from './core/log.ts';
import { type OpenDatabase, openDatabase } from './db/connect.ts';
import { checkDemoMark } from './db/demo-mark.ts';
import { demoPeople, seedDemo } from './demo/demo-people.ts';
import { openPaymentProviders, type PaymentProviders } from './demo/fake-providers.ts';
import { sliceQueueName } from './domains/batches/slices/sizes.ts';
import { receiveEvent } from './domains/billing/payments/provider-events.ts';
import { grantPlansToOperators } from './domains/plans/operator-plans.ts';
import { withModelCache } from './domains/prompts/models.ts';
import { fairShares } from './domains/requests/fair-shares.ts';
import { deleteUnansweredKeys } from './domains/requests/idempotency-keys.ts';
import { Engine } from './engine/engine.ts';
import { type Limits, providerLimits } from './engine/limits/provider-lanes.ts';
import { throttledChat } from './engine/limits/throttled-chat.ts';
import type { ChatModel, TraceRow } from './engine/port.ts';
import { paceNetworks } from './http/connections/pace.ts';
import { addHealth } from './http/health.ts';
import { countRequests, measureDatabase, measuredChat, measureEngine } from './http/metrics.ts';
import { addOpenApi } from './http/openapi/document.ts';
import { guardOrigins } from './http/origins.ts';
import { addOutbox } from './http/outbox.ts';
import { addContractRoutes } from './http/router.ts';
import { answerUnknown, createServer } from './http/server.ts';
import { addSiteSettings, serveSite } from './http/site.ts';
import { addTestPages } from './http/test-pages.ts';
import { acceptUploads } from './http/uploads.ts';
import { addWebhooks } from './http/webhooks.ts';
import { jobs } from './job-kinds.ts';
import { JobQueue } from './jobs/queue.ts';
import { after, type Clock, day, monotonicNow, systemClock } from './lib/clock.ts';
import { SheetImporter } from './lib/csv/import/sheet-importer.ts';
import { LruCache } from './lib/lru-cache.ts';
import { Turns } from './lib/turns.ts';
import { checkFiles, openFiles } from './open-files.ts';
import { followChanges, openModels } from './open-models.ts';
import { createRoutes } from './routes.ts';
import { VersionWatch } from './version-watch.ts';

const siteDirectory = join(import.meta.dirname, '../../web/dist');
/** Time for model calls at a shutdown. serve.ts exits after 25 s: results are stored before. */
const shutdownMilliseconds = 18_000;

export interface App extends AsyncDisposable {
  ctx: Context;
  url: string;
}

/** Replacements for tests. */
export interface Overrides {
  clock?: Clock;
  siteDirectory?: string;
  requestTimes?: typeof requestTimes;
  /** How long the engine waits before it probes a provider that does not answer. */
  probeIntervalMilliseconds?: number;
  /** The longest statement of a request on the embedded database, in seconds. */
  statementSeconds?: number;
  /** How often the engine resumes batches that no event resumes. */
  resumeIntervalMilliseconds?: number;
  /** How long model calls may last at a shutdown. */
  shutdownMilliseconds?: number;
  /** False turns off the scheduled jobs, which would interfere with what a test looks at. */
  isScheduled?: boolean;
}

/** Opens and starts all parts. They are closed in the opposite order, also after a failed start. */
export async function startApp(config: Config, overrides: Overrides = {}): Promise<App> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openDatabase(config.database, overrides));
  await checkDemoMark(database.db, config);
  const isWorker = config.serve.has('worker');
  const isScheduled = isWorker && overrides.isScheduled !== false;
  const queue = stack.use(
    new JobQueue(database, jobs, { isWorker, isScheduled, fetchedQueues: [sliceQueueName] }),
  );
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const clock = overrides.clock ?? systemClock;
  const outbox = new OutboxMail(join(config.dataDirectory, 'outbox'), clock);
  const log = createLog(config);
  const models = await openModels(config, { db: database.db, clock, log });
  const chat = measuredChat(models.chat, registry);
  const providers = stack.use(await openPaymentProviders(config));
  const files = await openFiles(config, stack);
  await checkFiles(files, log);
  const limits = providerLimits({ models, now: monotonicNow });
  const callsEnd = new AbortController();
  const throttled = throttledChat(chat, { limits, now: monotonicNow });
  const ctx = createContext({
    config,
    database,
    log,
    queue,
    registry,
    clock,
    outbox,
    files,
    payments: providers.payments,
    models,
    chat: withModelCache(stoppableChat(withCorrection(throttled), callsEnd.signal), clock),
  });
  stack.defer(() => ctx.mail.close());
  stack.defer(() => chat.close());
  await queue.start(ctx.log);
  await database.listen((payload) => ctx.notices.receive(payload));
  stack.use(await followChanges(ctx));
  ctx.notices.subscribe(({ cooldown, cooldown_ended: key }) => {
    if (cooldown) adoptCooldown(limits, cooldown, clock);
    if (key) limits.forget(key);
  });
  if (config.demo) await seedDemo(ctx);
  await grantPlansToOperators(ctx);
  const isOnlyProcess = config.database.kind === 'embedded';
  // Other processes may be writing into the same folder.
  await files.sweep(after(clock.now(), isOnlyProcess ? 0 : -day));
  const callMilliseconds = overrides.shutdownMilliseconds ?? shutdownMilliseconds;
  const engine = isWorker
    ? await startEngine(ctx, { stack, queue, chat, limits, registry, callMilliseconds, overrides })
    : null;
  const versions = stack.use(
    new VersionWatch(ctx, () => Promise.all([engine?.[Symbol.asyncDispose](), queue.stopWork()])),
  );
  const url = await serve(ctx, { stack, registry, outbox, providers, versions, overrides });
  providers.reportTo(url);
  // Starts the engine’s shutdown while the server waits for its last request. A later step of the
  // stack waits for the engine to end.
  stack.defer(() => {
    setTimeout(() => callsEnd.abort(), callMilliseconds).unref();
    engine?.[Symbol.asyncDispose]().catch(() => {});
  });
  const opened = stack.move();
  return { ctx, url, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

interface EngineParts {
  stack: AsyncDisposableStack;
  queue: JobQueue;
  chat: ChatModel;
  limits: Limits;
  registry: Registry;
  callMilliseconds: number;
  overrides: Overrides;
}

async function startEngine(
  ctx: Context,
  { stack, queue, chat, limits, registry, callMilliseconds, overrides }: EngineParts,
): Promise<Engine> {
  const isOnlyProcess = ctx.config.database.kind === 'embedded';
  if (isOnlyProcess) await deleteUnansweredKeys(ctx);
  await queue.work(ctx);
  const { probeIntervalMilliseconds, resumeIntervalMilliseconds } = overrides;
  const engine = stack.use(
    new Engine(ctx, {
      source: queue,
      chat,
      limits,
      isOnlyProcess,
      shutdownMilliseconds: callMilliseconds,
      traceRow: await openTraces(ctx.config, stack),
      probeIntervalMilliseconds,
      resumeIntervalMilliseconds,
    }),
  );
  measureEngine(engine, registry);
  await engine.start();
  return engine;
}

/** Ignores this process's own notice, whose milliseconds are rounded. */
function adoptCooldown(
  limits: Limits,
  { model: lane, until: end }: NonNullable<Notice['cooldown']>,
  clock: Clock,
): void {
  const until = monotonicNow() + end - clock.now().getTime();
  const limiter = limits.find(lane);
  if (!limiter) limits.restoreCooldown(lane, until);
  else if (until > limiter.cooldownUntil + roundedMilliseconds) limiter.onCooldownNotice(until);
}

const roundedMilliseconds = 100;

/** Loaded only when a collector is configured. Closed after the engine, which ends its traces. */
async function openTraces(
  { traces }: Config,
  stack: AsyncDisposableStack,
): Promise<TraceRow | undefined> {
  if (!traces) return undefined;
  const { otlpTraces } = await import('./adapters/otlp-traces.ts');
  return stack.use(otlpTraces(traces)).traceRow;
}

interface Parts
  extends Pick<Context, 'config' | 'log' | 'clock' | 'chat' | 'files' | 'payments' | 'models'> {
  database: OpenDatabase;
  queue: JobQueue;
  registry: Registry;
  outbox: OutboxMail;
}

function createContext({ database, queue, registry, outbox, ...parts }: Parts): Context {
  const { smtpUrl, from } = parts.config.mail;
  return {
    ...parts,
    db: database.db,
    scopedDb: database.scopedDb,
    events: createEventCounter(registry),
    requestId: 'start',
    passwords: new Argon2Passwords(),
    mail: smtpUrl ? smtpMail({ url: smtpUrl, from }) : outbox,
    importer: new SheetImporter(fairShares.imports),
    measuring: new Turns(fairShares.measures),
    notices: new EventBus(),
    foundRows: new LruCache({ entries: 200, size: 4_000_000 }, ({ length }) => length),
    valueCounts: new LruCache(
      { entries: 200, size: 200 * maximumCountedValues },
      ({ values }) => values?.length ?? 0,
    ),
    ...openFaultPoint(parts.config.faultPoint),
    enqueue: (db, ...jobs) => queue.enqueue(db, jobs),
    finishJob: (db, job) => queue.finish(db, job),
    withdrawJobs: (db, of) => queue.withdraw(db, of),
    publish: (db, notice) => database.notify(db, JSON.stringify(notice)),
  };
}

interface Serving {
  stack: AsyncDisposableStack;
  registry: Registry;
  outbox: OutboxMail;
  providers: PaymentProviders;
  versions: VersionWatch;
  overrides: Overrides;
}

async function serve(
  ctx: Context,
  { stack, registry, outbox, providers, versions, overrides }: Serving,
): Promise<string> {
  const { config } = ctx;
  // A request reaches no person's rows until it is authenticated.
  const anonymousCtx: Context = { ...ctx, db: ctx.scopedDb('anonymous') };
  const server = createServer(anonymousCtx, overrides.requestTimes);
  let isStopping = false;
  stack.defer(() => {
    isStopping = true;
    return server.close();
  });
  countRequests(server, registry);
  paceNetworks(server, config);
  guardOrigins(server, ctx);
  await acceptUploads(server, anonymousCtx);
  addContractRoutes(server, anonymousCtx, createRoutes());
  if (config.serve.has('main')) addWebhooks(server, ctx, receiveEvent);
  const measure = measureDatabase(ctx.db, registry);
  addHealth(server, anonymousCtx, {
    isStopping: () => isStopping,
    isOutdated: () => versions.isOutdated,
    registry,
    measure,
  });
  addOpenApi(server, config);
  const servesSite = config.serve.has('site');
  if (servesSite) {
    addSiteSettings(server, config, demoPeople);
    addTestPages(server, providers.testPages);
    if (!config.mail.smtpUrl) addOutbox(server, ctx, () => outbox.list());
  }
  const directory = overrides.siteDirectory ?? siteDirectory;
  answerUnknown(server, servesSite ? await serveSite(server, directory) : () => null);
  return listen(server, config.http);
}
