import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';
import { type App, type Overrides, startApp } from '../../server/src/app.ts';
import { parseConfig } from '../../server/src/config/config.ts';
import { readEnvironment } from '../../server/src/config/env.ts';

export interface Stage extends AsyncDisposable {
  browser: Browser;
  url: string;
}

interface Wanted extends Overrides {
  port?: number;
  settings?: Record<string, string>;
}

/** The whole product with its demo people, and the Chromium that comes inside an npm package. */
export async function setStage({
  port = 4477,
  settings = {},
  ...overrides
}: Wanted = {}): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-browser-'));
  const fixed = { PORT: String(port), DATA_DIR: directory, LOG_LEVEL: 'silent', DEMO: 'on' };
  const app: App = await startApp(
    parseConfig(readEnvironment({ ...fixed, ...settings })),
    overrides,
  );
  // In a single process, closing one context would end the browser.
  const args = chromium.args.filter((argument) => argument !== '--single-process');
  const browser = await driver.launch({
    args,
    executablePath: await chromium.executablePath(),
    headless: true,
  });
  return {
    browser,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await app[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
