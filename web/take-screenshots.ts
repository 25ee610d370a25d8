import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { auditPage } from './audit-page.ts';
import { buildWhenStale } from './build-when-stale.ts';
import { startStageWithBrowser } from './e2e/support/stage.ts';
import { screens } from './screenshots-list.ts';
import { type Screen, settleScene } from './screenshots-scene.ts';

/**
 * Photographs every screen of the running product at a phone's and a desk's width, light and dark, into `screenshots/`,
 * and those that the documents show into `docs/images/`. It ends with 1 where one has a fault that a picture does not show.
 * Words given on the command line choose screens by name.
 */
const web = import.meta.dirname;
const album = join(web, 'screenshots');
const shownInDocuments = join(web, '../docs/images');
const widths = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } } as const;
const documentSize = { width: 1280, height: 800 };
const schemes = ['light', 'dark'] as const;

// The one font that comes with the Chromium makes the pictures the same on every machine.
process.env.FONTCONFIG_PATH ??= join(tmpdir(), 'fonts');

const wanted = process.argv.slice(2);
const site = mkdtempSync(join(tmpdir(), 'rowmill-site-'));
try {
  // A copy, so that a rebuild of the site meanwhile does not change it.
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
    settings: { CHAT_CONCURRENCY: '2' },
  });
  const scene = await settleScene(stage.url, clock);
  for (const directory of [album, shownInDocuments]) mkdirSync(directory, { recursive: true });
  for (const screen of screens) {
    if (wanted.length > 0 && !wanted.some((word) => screen.name.includes(word))) continue;
    const context = await stage.browser.newContext({
      baseURL: stage.url,
      viewport: widths.desk,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    try {
      if (screen.who) await scene.signIn(page, screen.who);
      await photograph(page, screen, () => screen.open(page, scene));
    } catch (error) {
      complain(`${screen.name}: ${String(error).split('\n')[0]}`);
      await page.screenshot({ path: join(album, `${screen.name} FAILED.png`) });
    }
    await context.close();
  }
}

async function photograph(page: Page, screen: Screen, open: () => Promise<void>): Promise<void> {
  const { name, onlyPhone = false, isLayer = false, inDocuments } = screen;
  const kinds = onlyPhone ? (['phone'] as const) : (['desk', 'phone'] as const);
  for (const kind of kinds) {
    await page.setViewportSize(widths[kind]);
    // Popovers may close when the width changes, so open them again.
    if (kind === kinds[0] || isLayer) await open();
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(() => scrollTo(0, 0));
      await page.waitForTimeout(150);
      await page.screenshot({
        path: join(album, `${name} ${kind} ${colorScheme}.png`),
        fullPage: !isLayer,
      });
      for (const fault of await auditPage(page, kind))
        complain(`${name}, ${kind}, ${colorScheme}: ${fault}`);
    }
  }
  if (!inDocuments) return;
  await page.setViewportSize(documentSize);
  await page.emulateMedia({ colorScheme: inDocuments, reducedMotion: 'reduce' });
  await page.waitForTimeout(150);
  await page.screenshot({ path: join(shownInDocuments, `${name.replaceAll(' ', '-')}.png`) });
}

function complain(words: string): void {
  process.exitCode = 1;
  process.stdout.write(`${words}\n`);
}
