import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium as driver } from '@playwright/test';
import { holdDatabaseCode } from '../../../server/harness/database-code.ts';
import { type Overrides, startApp } from '../../../server/src/app.ts';
import { parseConfig } from '../../../server/src/config/config.ts';
import { readEnvironment } from '../../../server/src/config/env.ts';
import { chromiumOptions } from './chromium.ts';

/** The whole product with its demo people, on a free port and with a new data directory. */
export interface Stage extends AsyncDisposable {
  url: string;
}

export interface StageOptions extends Overrides {
  settings?: Record<string, string>;
}

export async function startStage({
  settings = {},
  ...overrides
}: StageOptions = {}): Promise<Stage> {
  await holdDatabaseCode();
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-browser-'));
  const { ROWMILL_DEMO_DATA: demo } = process.env;
  if (demo) cpSync(demo, directory, { recursive: true });
  const fixed = { DATA_DIR: directory, LOG_LEVEL: 'silent', DEMO: 'on', DEMO_MODEL_PACE: 'off' };
  const [app, port] = await onFreePort((PORT) =>
    startApp(parseConfig(readEnvironment({ ...fixed, PORT, ...settings })), overrides),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A stage and a browser, for scripts outside the test runner. */
export async function startStageWithBrowser(
  options: StageOptions = {},
): Promise<Stage & { browser: Browser }> {
  const stage = await startStage(options);
  const browser = await driver.launch(await chromiumOptions());
  return {
    browser,
    url: stage.url,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await stage[Symbol.asyncDispose]();
    },
  };
}

/**
 * PUBLIC_URL contains the port, so it has to be known before the server listens. Another program
 * may take the port in between.
 */
async function onFreePort<T>(start: (port: string) => Promise<T>): Promise<[T, string]> {
  for (let tries = 1; ; tries++) {
    const port = String(await freePort());
    try {
      return [await start(port), port];
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' || tries === 5) throw error;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
