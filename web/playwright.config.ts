import { defineConfig } from '@playwright/test';
import { chromiumOptions } from './e2e/support/chromium.ts';

const chromium = await chromiumOptions();
// Pages of tests are short: optimising their code takes a tenth of all CPU time.
chromium.args.push('--js-flags=--no-opt --no-maglev');

/** Generous: a busy machine makes a test late, and only what never comes should fail it. */
export default defineConfig({
  testDir: 'e2e',
  // Node reads TypeScript itself, in less time than Playwright compiles it.
  build: { external: ['**/*.ts'] },
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: '.cache/e2e',
  // Pages often wait for calls that are slow on purpose, so four keep two cores busy.
  workers: 4,
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  // A failed test runs again for its trace, and has failed even when it passes then.
  retries: 1,
  failOnFlakyTests: true,
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    launchOptions: chromium,
    // Each new context would fetch and store the whole site. The files about the worker and the
    // policy allow it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // With every test they would take a fifth of the time of a run.
    trace: 'on-first-retry',
  },
});
