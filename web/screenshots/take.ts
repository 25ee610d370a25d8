import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { buildWhenStale } from '../build-when-stale.ts';
import { startMoreProviders } from '../e2e/support/more-providers.ts';
import { signIn } from '../e2e/support/sign-in.ts';
import { startStageWithBrowser } from '../e2e/support/stage.ts';
import { auditPage } from './audit-page.ts';
import { prepareScene } from './scene.ts';
import type { Screen } from './screen.ts';
import { screens } from './screens.ts';

/**
 * Takes the pictures that the docs show into `docs/images`. With `--all`, or words that select
 * screens by name, takes pictures of the running product at four widths, light and dark, into
 * `web/.cache/screenshots` instead. Exits with 1 when a screen cannot be opened or fails the audit;
 * `--quick` leaves the audit out.
 */
const web = join(import.meta.dirname, '..');
const pictures = join(web, '.cache/screenshots');
const docsImages = join(web, '../docs/images');
const widths = {
  phone: { width: 390, height: 844 },
  tablet: { width: 1024, height: 768 },
  desk: { width: 1440, height: 900 },
  wide: { width: 1920, height: 1080 },
} as const;
const docsSize = { width: 1280, height: 800 };
const schemes = ['light', 'dark'] as const;

// The one font that comes with Chromium makes the pictures the same on every machine.
process.env.FONTCONFIG_PATH ??= join(tmpdir(), 'fonts');

const isQuick = process.argv.includes('--quick');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isForDocs = wanted.length === 0 && !process.argv.includes('--all');
const isWanted = ({ name, inDocs }: Screen) =>
  isForDocs ? inDocs : wanted.length === 0 || wanted.some((word) => name.includes(word));
const site = mkdtempSync(join(tmpdir(), 'rowmill-site-'));
try {
  // A copy, because the site may be rebuilt meanwhile.
  await buildWhenStale();
  cpSync(join(web, 'dist'), site, { recursive: true });
  await takeAll();
} finally {
  rmSync(site, { recursive: true, force: true });
}

async function takeAll(): Promise<void> {
  const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead) };
  await using stage = await startStageWithBrowser({
    clock,
    siteDirectory: site,
    settings: { CHAT_CONCURRENCY: '2', SECRETS_KEY: 'a key of the pictures, long enough' },
  });
  await using providers = await startMoreProviders();
  const scene = await prepareScene(stage.url, clock, providers);
  for (const directory of [pictures, docsImages]) mkdirSync(directory, { recursive: true });
  for (const screen of screens.filter(isWanted)) {
    const context = await stage.browser.newContext({
      baseURL: stage.url,
      viewport: isForDocs ? docsSize : widths.desk,
      colorScheme: (isForDocs && screen.inDocs) || 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    try {
      if (screen.who) await signIn(page, screen.who);
      const open = async () => {
        for (const step of screen.open) await step(page, scene);
      };
      await (isForDocs ? takeForDocs : takePictures)(page, screen, open);
    } catch (error) {
      report(`${screen.name}: ${String(error).split('\n')[0]}`);
      await page.screenshot({ path: join(pictures, `${screen.name} FAILED.png`) });
    }
    await context.close();
  }
}

async function takeForDocs(page: Page, { name }: Screen, open: () => Promise<void>): Promise<void> {
  await open();
  // Nothing is pointed at by chance.
  await page.mouse.move(0, 0);
  await whenDrawn(page);
  await page.screenshot({ path: join(docsImages, `${name.replaceAll(' ', '-')}.png`) });
}

async function takePictures(
  page: Page,
  { name, onlyPhone = false, isLayer = false }: Screen,
  open: () => Promise<void>,
): Promise<void> {
  const kinds = onlyPhone ? (['phone'] as const) : (['desk', 'wide', 'tablet', 'phone'] as const);
  const device = await page.context().newCDPSession(page);
  for (const kind of kinds) {
    // Never turned off: that leaves no pointer at all, and controls as tall as on a phone.
    const touch = () =>
      kind === 'phone' && device.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await page.setViewportSize(widths[kind]);
    // Popovers may close when the width changes, so open them again.
    if (kind === kinds[0] || isLayer) await open();
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(() => scrollTo(0, 0));
      await touch();
      await whenDrawn(page);
      await page.screenshot({
        path: join(pictures, `${name} ${kind} ${colorScheme}.png`),
        fullPage: !isLayer,
      });
      if (isQuick) continue;
      // The picture has ended it.
      await touch();
      await whenDrawn(page);
      // In between, only the layout differs.
      const problems = await auditPage(page, { kind, isFull: kind === 'desk' || kind === 'phone' });
      for (const problem of problems) report(`${name}, ${kind}, ${colorScheme}: ${problem}`);
    }
  }
}

/** A change of width, theme or pointer is drawn in the frame after the next. */
async function whenDrawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const _ of [1, 2]) await new Promise((drawn) => requestAnimationFrame(drawn));
  });
}

function report(problem: string): void {
  process.exitCode = 1;
  process.stdout.write(`${problem}\n`);
}
