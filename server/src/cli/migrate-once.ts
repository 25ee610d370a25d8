import { startApp } from '../app.ts';
import { parseConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';

/** Starts the product and stops it: the database then has all tables, also those of the job queue. */
export async function migrateOnce(settings: Record<string, string>): Promise<void> {
  const env = { PORT: '0', DEMO: 'off', LOG_LEVEL: 'silent', CHAT_BASE_URL: 'demo', ...settings };
  const config = { ...parseConfig(readEnvironment(env)), serve: new Set<never>() };
  const app = await startApp(config, { isScheduled: false });
  await app[Symbol.asyncDispose]();
}
