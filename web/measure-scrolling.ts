import type { Page } from 'playwright-core';
import { buildWhenStale } from './build-when-stale.ts';
import { startBatch } from './e2e/support/batches.ts';
import { signIn } from './e2e/support/sign-in.ts';
import { startStageWithBrowser } from './e2e/support/stage.ts';

/**
 * How a table of very many rows behaves: the time of a frame while it is scrolled, from a key to
 * the painted cell, and the slowest answer to a press. Exits with 1 when a goal is missed.
 */
const rows = 100_000;
const columns = 60;
const frames = 300;
const speeds = [20, 400];
/** In milliseconds; of frames and keys at p95. A frame of 34 ms is two of a screen. */
const goals = { frame: 34, key: 50, press: 100 };

await buildWhenStale();
await using stage = await startStageWithBrowser({ settings: { CHAT_PRICES: 'demo=0' } });
const page = await (await stage.browser.newContext({ baseURL: stage.url })).newPage();
await signIn(page, 'client@demo.test');
await openBatch();
for (const speed of speeds)
  report(
    `${rows} rows of ${columns} columns, ${speed} px a frame, milliseconds a frame`,
    await page.evaluate(scroll, { speed, frames }),
    goals.frame,
  );
report('from a key to the painted cell, milliseconds', await keyTimes(), goals.key);
const slowest = await slowestAnswer(page);
say(`${slowest > goals.press ? 'MISS' : 'ok  '}  slowest answer to a press: ${slowest} ms`);

function report(name: string, times: number[], goal: number): void {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
  const verdict = at(0.95) <= goal ? 'ok  ' : 'MISS';
  if (verdict === 'MISS') process.exitCode = 1;
  say(
    `${verdict}  ${name}: ${at(0.5).toFixed(1)} (p50), ${at(0.95).toFixed(1)} (p95), ${at(1).toFixed(1)} at most, of ${times.length}`,
  );
}

async function openBatch(): Promise<void> {
  const names = Array.from({ length: columns }, (_, column) => `Column ${column}`);
  const line = (row: number) => names.map((_, column) => row * column).join(',');
  const text = `${names.join(',')}\n${Array.from({ length: rows }, (_, row) => line(row)).join('\n')}\n`;
  const id = await startBatch(page, { name: 'many.csv', text, question: 'Say {{Column 1}}' });
  await page.goto(`/history/${id}`);
  await page.locator('[data-batch-state="completed"]').first().waitFor({ timeout: 300_000 });
  await page.reload();
  await page.getByRole('button', { name: 'Open row 1', exact: true }).waitFor();
}

/** Runs in the page. */
async function scroll({ speed, frames }: { speed: number; frames: number }): Promise<number[]> {
  const scroller = document.querySelector('[role=grid]')?.parentElement;
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  const times: number[] = [];
  let before = await nextFrame();
  for (let frame = 0; frame < frames; frame++) {
    scroller?.scrollBy(0, speed);
    const now = await nextFrame();
    times.push(now - before);
    before = now;
  }
  return times;
}

/** Each key moves the focus to another cell; the time ends when that frame is painted. */
async function keyTimes(): Promise<number[]> {
  await page.getByRole('grid').evaluate((grid) => grid.parentElement?.scrollTo(0, 0));
  await page.getByRole('button', { name: 'Open row 1', exact: true }).focus();
  const times: number[] = [];
  const keys = ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowRight', 'PageDown', 'Control+End'];
  for (const key of [...Array.from({ length: 20 }, () => [...keys, 'Control+Home']).flat()]) {
    const painted = await page.evaluateHandle(nextPaintedCell);
    await page.keyboard.press(key);
    times.push(await painted.evaluate(({ time }) => time));
  }
  return times;
}

/** Runs in the page. */
function nextPaintedCell(): { time: Promise<number> } {
  const before = document.activeElement;
  const time = new Promise<number>((resolve) => {
    function onKey({ key, timeStamp }: KeyboardEvent) {
      if (key === 'Control') return;
      removeEventListener('keydown', onKey, true);
      function onFrame() {
        if (document.activeElement === before) requestAnimationFrame(onFrame);
        // A task that is posted before a frame runs after it has been painted.
        else setTimeout(() => resolve(performance.now() - timeStamp));
      }
      requestAnimationFrame(onFrame);
    }
    addEventListener('keydown', onKey, true);
  });
  return { time };
}

/** Keys, the panel of a row and a filter; each is felt until what it changed is painted. */
async function slowestAnswer(on: Page): Promise<number> {
  await on.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    const note = (list: PerformanceObserverEntryList) =>
      seen.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(note).observe({
      type: 'event',
      durationThreshold: 16,
    } as PerformanceObserverInit);
  });
  await on.getByRole('grid').evaluate((grid) => grid.parentElement?.scrollTo(0, 0));
  await on.getByRole('button', { name: 'Open row 1', exact: true }).focus();
  for (const key of [
    'ArrowDown',
    'PageDown',
    'PageDown',
    'Control+End',
    'PageUp',
    'Control+Home',
    'ArrowDown',
    'Enter',
  ])
    await on.keyboard.press(key);
  await on.getByRole('complementary', { name: /^Row / }).waitFor();
  await on.keyboard.press('Escape');
  await on.getByRole('button', { name: /^Answered/ }).click();
  await on.getByRole('button', { name: /^All/ }).click();
  await on.getByRole('button', { name: 'Open row 1', exact: true }).waitFor();
  return on.evaluate(() => Math.max(0, ...(window as unknown as { seen: number[] }).seen));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
