import { startApp } from '../app.ts';
import { parseConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';

/** Starts and stops the product: the database then has all tables, also the job queue's. */
export async function migrateOnce(settings: Record<string, string>): Promise<void> {
  const env = { PORT: '0', DEMO: 'off', LOG_LEVEL: 'silent', CHAT_BASE_URL: 'demo', ...settings };
  const config = { ...parseConfig(readEnvironment(env)), serve: new Set<never>() };
  const app = await startApp(config, { isScheduled: false });
  await app[Symbol.asyncDispose]();
}
