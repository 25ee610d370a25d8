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
 * Looks at the pages as Lighthouse does, on a phone with a slow line, prints what it thinks of each and keeps its reports
 * in `lighthouse/`. Routes given on the command line are looked at instead of all. Ends with 1 below the goals.
 */
const goals = { performance: 95, accessibility: 100, 'best-practices': 100 } as const;
const routes = ['/auth', '/auth/plans', '/auth/help', '/dashboard', '/ask', '/history'] as const;
const reports = join(import.meta.dirname, 'lighthouse');

type Goal = keyof typeof goals;
type Scores = Record<Goal, number>;

const asked = process.argv.slice(2);
const wanted = asked.length > 0 ? asked : routes;
await buildWhenStale();
mkdirSync(reports, { recursive: true });
await using stage = await startStageWithBrowser();
const profile = mkdtempSync(join(tmpdir(), 'rowmill-lighthouse-'));
const debuggingPort = await freePort();
const browser = await openBrowser(profile, debuggingPort);
try {
  for (const route of wanted.filter(isPublic)) await lookAt(route);
  await openSession();
  for (const route of wanted.filter((path) => !isPublic(path))) await lookAt(route);
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}

/** Signed in, the entrance leads elsewhere, so the public pages are looked at before. */
function isPublic(route: string): boolean {
  return route.startsWith('/auth');
}

/** One profile for driver and auditor: the session that the one opens is the other's too. */
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

/** Every visit is the first one, but for the session: neither the worker nor the browser has kept a file. */
async function forgetFiles(): Promise<void> {
  const page = await browser.newPage();
  const devtools = await browser.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', {
    origin: stage.url,
    storageTypes: 'service_workers,cache_storage',
  });
  await devtools.send('Network.clearBrowserCache');
  await page.close();
}

async function lookAt(route: string): Promise<void> {
  await forgetFiles();
  const flags: Flags = {
    port: debuggingPort,
    output: ['html', 'json'],
    logLevel: 'error',
    onlyCategories: Object.keys(goals),
    formFactor: 'mobile',
    // The session lies in the storage.
    disableStorageReset: true,
    // The stream of events never ends, so the network is never at rest.
    maxWaitForLoad: 12_000,
  };
  const result = await lighthouse(stage.url + route, flags);
  if (!result) throw new Error(`Lighthouse said nothing of ${route}.`);
  keep(route, result);
  const scores = scoresOf(result);
  process.stdout.write(`${route.padEnd(16)} ${JSON.stringify(scores)} ${timesOf(result)}\n`);
  for (const goal of Object.keys(goals) as Goal[])
    if (scores[goal] < goals[goal]) complain(route, goal, result);
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

function complain(route: string, goal: Goal, { lhr }: RunnerResult): void {
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
