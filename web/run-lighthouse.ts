import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import lighthouse, { type Flags, type RunnerResult } from 'lighthouse';
import { type BrowserContext, chromium as driver } from 'playwright-core';
import { buildWhenStale } from './build-when-stale.ts';
import { signIn } from './e2e/support/sign-in.ts';
import { startStageWithBrowser } from './e2e/support/stage.ts';

/**
 * Runs Lighthouse on the main pages as a phone on a slow connection, prints the scores and keeps
 * the reports in `web/.cache/lighthouse`. Routes on the command line replace the list. Exits with 1
 * below the goals.
 */
const goals = { performance: 95, accessibility: 100, 'best-practices': 100 } as const;
const routes = ['/auth', '/auth/plans', '/auth/help', '/dashboard', '/ask', '/history'] as const;
const reports = join(import.meta.dirname, '.cache/lighthouse');

type Goal = keyof typeof goals;
type Scores = Record<Goal, number>;

const chosen = process.argv.slice(2);
const wanted = chosen.length > 0 ? chosen : routes;
await buildWhenStale();
mkdirSync(reports, { recursive: true });
await using stage = await startStageWithBrowser();
const profile = mkdtempSync(join(tmpdir(), 'rowmill-lighthouse-'));
const debuggingPort = await freePort();
const browser = await openBrowser(profile, debuggingPort);
try {
  for (const route of wanted.filter(isPublic)) await audit(route);
  await openSession();
  for (const route of wanted.filter((path) => !isPublic(path))) await audit(route);
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}

/** Public pages redirect when signed in, so they come first. */
function isPublic(route: string): boolean {
  return route.startsWith('/auth');
}

/** Playwright and Lighthouse share one profile, and so the session. */
function openBrowser(directory: string, debugging: number): Promise<BrowserContext> {
  return chromium.executablePath().then((executablePath) =>
    driver.launchPersistentContext(directory, {
      executablePath,
      args: [
        ...chromium.args.filter((argument) => argument !== '--single-process'),
        `--remote-debugging-port=${debugging}`,
      ],
      headless: true,
      baseURL: stage.url,
    }),
  );
}

async function openSession(): Promise<void> {
  const page = await browser.newPage();
  await signIn(page, 'client@demo.test');
  await page.getByText('Welcome').waitFor();
  await page.close();
}

/** Makes every visit the first one: no service worker and no cached file. The session stays. */
async function clearCaches(): Promise<void> {
  const page = await browser.newPage();
  const devtools = await browser.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', {
    origin: stage.url,
    storageTypes: 'service_workers,cache_storage',
  });
  await devtools.send('Network.clearBrowserCache');
  await page.close();
}

async function audit(route: string): Promise<void> {
  await clearCaches();
  const flags: Flags = {
    port: debuggingPort,
    output: ['html', 'json'],
    logLevel: 'error',
    onlyCategories: Object.keys(goals),
    formFactor: 'mobile',
    // The session is in local storage.
    disableStorageReset: true,
    // The event stream never ends, so the network is never idle.
    maxWaitForLoad: 12_000,
  };
  const result = await lighthouse(stage.url + route, flags);
  if (!result) throw new Error(`Lighthouse returned no result for ${route}.`);
  keep(route, result);
  const scores = scoresOf(result);
  process.stdout.write(`${route.padEnd(16)} ${JSON.stringify(scores)} ${timesOf(result)}\n`);
  for (const goal of Object.keys(goals) as Goal[])
    if (scores[goal] < goals[goal]) reportMiss(route, goal, result);
}

function keep(route: string, { report }: RunnerResult): void {
  const name = route.slice(1).replaceAll('/', '-');
  for (const [index, type] of ['html', 'json'].entries())
    writeFileSync(join(reports, `${name}.${type}`), report[index] ?? '');
}

function scoresOf({ lhr }: RunnerResult): Scores {
  const scoreOf = (goal: Goal) => Math.round((lhr.categories[goal]?.score ?? 0) * 100);
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
  };
}

function timesOf({ lhr }: RunnerResult): string {
  const names = [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ];
  return names.map((name) => lhr.audits[name]?.displayValue).join(', ');
}

function reportMiss(route: string, goal: Goal, { lhr }: RunnerResult): void {
  process.exitCode = 1;
  process.stdout.write(`${route}: ${goal} is below ${goals[goal]}\n`);
  for (const { id, weight } of lhr.categories[goal]?.auditRefs ?? []) {
    const { score, title, displayValue = '' } = lhr.audits[id] ?? {};
    if (weight > 0 && score !== null && score !== undefined && score < 0.9)
      process.stdout.write(`  ${id}: ${title} ${displayValue}\n`);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
