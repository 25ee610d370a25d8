import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Argon2Passwords } from './adapters/argon2-passwords.ts';
import { OutboxMail } from './adapters/outbox-mail.ts';
import { smtpMail } from './adapters/smtp-mail.ts';
import type { Config } from './config/config.ts';
import type { Context } from './context.ts';
import { type OpenDatabase, openDatabase } from './db/connect.ts';
import { demoPeople, settleDemo } from './demo.ts';
import { accountRoutes } from './domains/account/routes.ts';
import { billingRoutes } from './domains/billing/routes.ts';
import { clientRoutes } from './domains/clients/routes.ts';
import { creditRoutes } from './domains/credits/routes.ts';
import { identityJobs } from './domains/identity/jobs.ts';
import { identityRoutes } from './domains/identity/routes.ts';
import { planRoutes } from './domains/plans/routes.ts';
import { requestJobs } from './domains/requests/jobs.ts';
import { createEventCounter } from './events.ts';
import type { Routes } from './handlers.ts';
import { addHealth } from './http/health.ts';
import { addOpenApi } from './http/openapi.ts';
import { addOutbox } from './http/outbox.ts';
import { addContractRoutes } from './http/router.ts';
import { answerUnknown, createServer } from './http/server.ts';
import { addSiteSettings } from './http/site-settings.ts';
import { serveSite } from './http/static-site.ts';
import { JobQueue } from './jobs/queue.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { createLog } from './log.ts';

/** Every built call of the contract with its use case. */
export const routes = {
  ...identityRoutes,
  ...creditRoutes,
  ...planRoutes,
  ...billingRoutes,
  ...accountRoutes,
  ...clientRoutes,
} satisfies Partial<Routes>;

const jobs = { ...identityJobs, ...requestJobs };
const siteDirectory = join(import.meta.dirname, '../../web/dist');

export interface App extends AsyncDisposable {
  ctx: Context;
  url: string;
}

/** What a test may put in the place of the real thing. */
export interface Overrides {
  clock?: Clock;
  siteDirectory?: string;
}

/** Puts the product together and starts it. What was opened is closed again in the opposite order, also when a start fails. */
export async function startApp(config: Config, overrides: Overrides = {}): Promise<App> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openDatabase(config.database));
  const isWorker = config.serve.has('worker');
  const queue = stack.use(new JobQueue(database, jobs, { isWorker }));
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const clock = overrides.clock ?? systemClock;
  const outbox = new OutboxMail(join(config.dataDirectory, 'outbox'), clock);
  const ctx = createContext(config, { database, queue, registry, clock, outbox });
  stack.defer(() => ctx.mail.close());
  await queue.start(ctx.log);
  if (config.demo) await settleDemo(ctx);
  if (isWorker) await queue.work(ctx);
  const url = await serve(ctx, { stack, registry, outbox, siteDirectory: overrides.siteDirectory ?? siteDirectory });
  const opened = stack.move();
  return { ctx, url, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

interface Parts {
  database: OpenDatabase;
  queue: JobQueue;
  registry: Registry;
  clock: Clock;
  outbox: OutboxMail;
}

function createContext(config: Config, { database, queue, registry, clock, outbox }: Parts): Context {
  const { smtpUrl, from } = config.mail;
  return {
    config,
    db: database.db,
    clock,
    log: createLog(config),
    events: createEventCounter(registry),
    requestId: 'start',
    passwords: new Argon2Passwords(),
    mail: smtpUrl ? smtpMail({ url: smtpUrl, from }) : outbox,
    enqueue: (db, job) => queue.enqueue(db, job),
  };
}

interface Serving {
  stack: AsyncDisposableStack;
  registry: Registry;
  outbox: OutboxMail;
  siteDirectory: string;
}

async function serve(ctx: Context, { stack, registry, outbox, siteDirectory: directory }: Serving): Promise<string> {
  const { config } = ctx;
  const server = createServer(ctx);
  let isStopping = false;
  stack.defer(() => {
    isStopping = true;
    return server.close();
  });
  addContractRoutes(server, ctx, routes);
  addHealth(server, ctx, { isStopping: () => isStopping, registry });
  addOpenApi(server, config.http.publicUrl);
  const servesSite = config.serve.has('site');
  if (servesSite) {
    addSiteSettings(server, config, demoPeople);
    if (!config.mail.smtpUrl) addOutbox(server, ctx, () => outbox.list());
  }
  answerUnknown(server, servesSite ? await serveSite(server, directory) : () => null);
  await server.listen({ host: config.http.host, port: config.http.port });
  const { address, port } = server.server.address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
