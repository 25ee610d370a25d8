import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { expectState, openCompleted, question, quickSheet, startBatch } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { phoneAndDesk } from './support/screens.ts';
import { demoPassword, signIn, startSession } from './support/sign-in.ts';

const test = testOnStage();

const maximumTabs = 60;

/** The name that a screen reader gives the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    const name =
      element?.getAttribute('aria-label') ??
      element?.labels?.[0]?.textContent ??
      element?.textContent ??
      '';
    return element === document.body ? '' : name.trim();
  });
}

async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < maximumTabs; step += 1) {
    await page.keyboard.press('Tab');
    const current = await focused(page);
    if (name.test(current)) return;
    passed.push(current.slice(0, 30));
  }
  throw new Error(`${name} cannot be reached: ${passed.join(' | ')}`);
}

async function choose(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

const sheet = ['Name,Material', 'Teapot,stoneware', 'Lamp,brass', 'Blanket,wool'].join('\n');

test('works from sign-in to a downloaded result without a mouse', async ({ page }) => {
  await page.goto('/auth/login');
  await expect(page.getByLabel('Email')).toBeVisible();
  await tabTo(page, /^Email/);
  await page.keyboard.type('client@demo.test');
  await tabTo(page, /^Password/);
  await page.keyboard.type('rowmill-demo');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Welcome, Clara.')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();

  await page.reload();
  await expect(page.getByText('Welcome, Clara.')).toBeVisible();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the page');
  await page.keyboard.press('Enter');
  await choose(page, /^Submit a Batch/);
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
  // The wait starts before the key is pressed, because the event can arrive before the next
  // command.
  const chooser = page.waitForEvent('filechooser');
  await choose(page, /^Choose a file/);
  await (await chooser).setFiles({
    name: 'goods.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(sheet),
  });
  await expect(page.getByText('3 rows, 2 columns')).toBeVisible();
  await expect.poll(() => focused(page)).toMatch(/Sheet$/);

  await tabTo(page, /^Prompt for each row/);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Praise {{');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Prompt for each row')).toHaveValue('Praise {{Name}}');
  await expect(page.getByText('Balance after')).toBeVisible();
  await choose(page, /^Run 3 rows$/);

  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  await expectState(page, 'completed');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('processed');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/history$/);
  await expect(page.getByRole('link', { name: 'goods.csv' })).toBeVisible();
  await choose(page, /^goods\.csv$/);
  await expect(page.getByRole('button', { name: 'Open row 1', exact: true })).toBeVisible();
  await tabTo(page, /^Open row 1$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(
    page
      .getByRole('complementary', { name: 'Row 2' })
      .getByText('Demo answer (no AI): Praise Lamp')
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('Open row 2');
  // With Caps Lock, keys are capital letters.
  await page.keyboard.press('R');
  await expect.poll(() => focused(page)).toBe('Open row 3');
  await page.keyboard.press('K');
  await expect.poll(() => focused(page)).toBe('Open row 2');
  await page.keyboard.press('J');
  await expect.poll(() => focused(page)).toBe('Open row 3');
  await page.keyboard.press('w');
  for (const name of ['Right (1)', 'Wrong (1)'])
    await expect(page.getByRole('button', { name })).toBeVisible();

  await page.keyboard.down('Shift');
  await tabTo(page, /^Download: goods\.csv/);
  await page.keyboard.up('Shift');
  await page.keyboard.press('Enter');
  await tabTo(page, /^Judgements and notes/);
  await page.keyboard.press('Space');
  const arrival = page.waitForEvent('download');
  await page.keyboard.down('Shift');
  await tabTo(page, /^Results as CSV: /);
  await page.keyboard.up('Shift');
  await page.keyboard.press('Enter');
  const results = readFileSync(await (await arrival).path(), 'utf8');
  expect(results.match(/Demo answer/g)).toHaveLength(3);
  expect(results).toMatch(/^Lamp,.*,right,/m);
  expect(results).toMatch(/^Blanket,.*,wrong,/m);
});

test('begins each page at its top, with the focus if the link is gone', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 300 });
  await signIn(page, 'client@demo.test', '/profile');
  const scrolled = () => page.evaluate(() => scrollY);
  /** Unlike a click of the mouse, Enter does not scroll to the link. */
  const follow = async (name: string) => {
    const link = page.getByRole('link', { name, exact: true }).first();
    await link.evaluate((element) => element.focus({ preventScroll: true }));
    await page.evaluate(() => scrollTo(0, 200));
    expect(await scrolled()).toBe(200);
    await page.keyboard.press('Enter');
    await expect(page).toHaveTitle(new RegExp(`^${name}`));
    await expect.poll(scrolled).toBe(0);
  };
  const logo = page.getByRole('link', { name: 'Rowmill' });
  await logo.press('Enter');
  await expect(page).toHaveTitle(/^Dashboard/);
  await expect(logo).toBeFocused();
  await page.goBack();
  await expect(page.getByLabel('Phone')).toBeVisible();
  // The first page of the other layout.
  await follow('Help');
  await expect(page.getByRole('main')).toBeFocused();
  await follow('Terms');
});

const reader = '/screen-reader.js';
const readerFile = fileURLToPath(import.meta.resolve('@guidepup/virtual-screen-reader/browser.js'));

interface Visit {
  /** Everything that the screen reader says until it stops. */
  words: RegExp;
  act?: 'press' | { type: string };
}

/** Reads on with a virtual screen reader until it says these words, and acts on that place. */
async function readTo(page: Page, { words, act }: Visit): Promise<string> {
  return page.evaluate(
    async ({ source, act, path }) => {
      const { virtual } = await import(path);
      await virtual.start({ container: document.body });
      const received: string[] = [];
      try {
        while (received.length < 1_000) {
          await virtual.next();
          const phrase: string = await virtual.lastSpokenPhrase();
          received.push(phrase);
          if (!new RegExp(source).test(phrase)) continue;
          if (act === 'press') await virtual.act();
          else if (act) await virtual.type(act.type);
          return phrase;
        }
      } finally {
        await virtual.stop();
      }
      throw new Error(`${source} is never said: ${received.slice(-120).join(' | ')}`);
    },
    { source: words.source, act, path: reader },
  );
}

test('reads a screen reader everything from sign-in to a downloaded result', async ({ page }) => {
  await intercept(page, `**${reader}`, (route) =>
    route.fulfill({ path: readerFile, contentType: 'text/javascript' }),
  );
  await page.goto('/auth/login');
  await expect(page.getByLabel('Email')).toBeVisible();
  await readTo(page, { words: /^textbox, Email/, act: { type: 'bakery@demo.test' } });
  await readTo(page, { words: /^(textbox, )?Password/, act: { type: demoPassword } });
  await readTo(page, { words: /^button, Sign in/, act: 'press' });

  await expect(page.getByText('Welcome, Bella.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Try the sample' })).toBeVisible();
  await readTo(page, { words: /^heading, Try it in a minute, level 2/ });
  await readTo(page, { words: /^link, Try the sample/, act: 'press' });
  await expect(page.getByText('12 rows, 3 columns')).toBeVisible();
  await expect(page.getByText('Balance after')).toBeVisible();
  await readTo(page, { words: /^textbox, Prompt for each row/ });
  await readTo(page, { words: /^button, Run 12 rows/, act: 'press' });

  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  await expectState(page, 'completed');
  await expect(page.getByText('Demo answer (no AI)').first()).toBeVisible();
  await readTo(page, { words: /^heading, sample-products\.csv, level 1/ });
  await readTo(page, { words: /of 12 rows answered/ });
  await readTo(page, { words: /^columnheader, .*Answer/ });
  await readTo(page, { words: /Demo answer \(no AI\)/ });
  await readTo(page, { words: /^button, Open row 1/, act: 'press' });
  await expect(page.getByRole('complementary', { name: 'Row 1' })).toBeVisible();
  await readTo(page, { words: /\bRow 1\b/ });
  await readTo(page, { words: /^button, Right R/, act: 'press' });
  await expect(page.getByRole('button', { name: 'Right (1)' })).toBeVisible();
  await readTo(page, { words: /^button, Right R,.*, pressed/ });
  await readTo(page, { words: /^button, Download: sample-products\.csv/, act: 'press' });
  const arrival = page.waitForEvent('download');
  await readTo(page, { words: /^button, Results as CSV: sample-products\.csv/, act: 'press' });
  const results = readFileSync(await (await arrival).path(), 'utf8');
  expect(results.match(/Demo answer/g)).toHaveLength(12);
});

test('leaves the keys of a field to it, and keeps a correction that is not saved yet', async ({
  page,
}) => {
  await startSession(page, 'client@demo.test');
  const id = await startBatch(page, {
    name: 'sizes.csv',
    text: sheet,
    question: 'Rate {{Name}}.',
    outputs: [{ name: 'size', type: 'choice', options: ['large', 'right', 'small'] }],
  });
  await page.goto(`/history/${id}?row=1`);
  await expectState(page, 'completed');
  const first = page.getByRole('complementary', { name: 'Row 1' });
  const openCorrection = () => first.getByText('Correct or add a note').click();
  await openCorrection();
  const size = first.getByRole('combobox', { name: 'size' });
  for (const [key, value] of [
    ['r', 'right'],
    ['ArrowDown', 'small'],
    ['ArrowUp', 'right'],
  ] as const) {
    await size.press(key);
    await expect(size).toHaveValue(value);
  }
  await expect(first.getByRole('button', { name: 'Right R' })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
  await first.getByLabel('Note').fill('Ask Ada.');
  // While a Chinese or Japanese word is chosen, its keys are those of the choice.
  const chooses = { bubbles: true, cancelable: true, isComposing: true };
  await first.getByLabel('Note').dispatchEvent('keydown', { key: 'Escape', ...chooses });
  await expect(first).toBeVisible();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog').getByRole('combobox');
  await field.pressSequentially('profile');
  await field.dispatchEvent('keydown', { key: 'Enter', ...chooses });
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/history/);
  await first.getByRole('button', { name: 'Next row' }).click();
  const second = page.getByRole('complementary', { name: 'Row 2' });
  await expect(second.getByLabel('Note')).toBeHidden();
  await second.getByRole('button', { name: 'Previous row' }).click();
  await expect(first.getByLabel('Note')).toHaveValue('Ask Ada.');
  await expect(size).toHaveValue('right');
  await first.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await first.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
  await expect(first.getByLabel('Note')).toBeHidden();
  await expect(first.getByRole('paragraph').filter({ hasText: 'Ask Ada.' })).toBeVisible();
  await openCorrection();
  await expect(first.getByLabel('Note')).toHaveValue('Ask Ada.');
});

test('does not scroll sideways to an answer that is in view already', async ({ page }) => {
  await startSession(page, 'client@demo.test');
  const columns = Array.from({ length: 20 }, (_, column) => `Column ${column}`);
  const row = columns.map((name) => `${name} of a row`);
  const id = await startBatch(page, {
    name: 'wide.csv',
    text: [columns, row, row, row].join('\n'),
    question: 'Rate {{Column 1}}.',
  });
  await page.goto(`/history/${id}`);
  await expectState(page, 'completed');
  const answers = page.getByRole('gridcell', { name: /^Demo answer/ });
  await answers.first().click();
  await expect(page.getByRole('complementary', { name: 'Row 1' })).toBeVisible();
  const scroller = page.locator('section:has(> [role=grid])');
  // The click of the test scrolls.
  await scroller.evaluate((element) => element.scrollTo({ left: 0 }));
  await page.keyboard.press('j');
  await expect(answers.nth(1)).toBeFocused();
  await expect(page.getByRole('complementary', { name: 'Row 2' })).toBeVisible();
  expect(await scroller.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
});

test('has room for larger text in its head, rows and columns', async ({ page }) => {
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      document.documentElement.style.fontSize = '200%';
    });
  });
  await startSession(page, 'client@demo.test');
  const text = quickSheet(['', ...Array<string>(120).fill('[[fail]]')]);
  const id = await startBatch(page, { name: 'large.csv', text, question });
  for (const width of phoneAndDesk) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/history/${id}`);
    await expectState(page, 'completed');
    const first = page.getByRole('grid', { name: 'Rows' }).locator('tbody tr').first();
    await expect(first).toBeVisible();
    const cut = await first.evaluate((row) => {
      const { bottom, width } = row.getBoundingClientRect();
      if (innerWidth < 400 && width > innerWidth) return 'card';
      return [...row.querySelectorAll('*')].filter(
        (part) =>
          part.getBoundingClientRect().bottom > bottom ||
          (part.textContent === 'Answered' && part.scrollWidth > part.clientWidth),
      ).length;
    });
    expect(cut).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('reads and judges rows over the whole window when it is zoomed to 200%', async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 450 });
  await startSession(page, 'client@demo.test');
  await openCompleted(page, {
    name: 'zoomed.csv',
    text: ['Name', 'Teapot', 'Lamp'].join('\n'),
    question: 'Rate {{Name}}.',
  });
  await page
    .getByRole('gridcell', { name: /^Demo answer/ })
    .first()
    .click();
  const panel = (row: number) => page.getByRole('dialog', { name: `Row ${row}` });
  await expect(panel(1).getByText('Rate Teapot.', { exact: true })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('J');
  await expect(panel(2)).toBeVisible();
  await page.keyboard.press('R');
  await expect(panel(2).getByRole('button', { name: 'Right' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.keyboard.press('Escape');
  await expect(panel(2)).toHaveCount(0);
  await expect.poll(() => focused(page)).toBe('Demo answer (no AI): Rate Lamp.');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /^Open row 2/ }).click();
  await page.keyboard.press('k');
  await panel(1).getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => focused(page)).toMatch(/^Open row 1/);
});

test('keeps what has the focus clear of the bars of a phone, with its label', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 844 } });
  await signIn(page, 'operator@demo.test', '/profile');
  await expect(page.getByLabel('Tax number')).toBeVisible();
  const last = page.getByRole('button', { name: 'Save address' });
  await page.getByLabel('First name').focus();
  while (!(await last.evaluate((button) => button === document.activeElement))) {
    await page.keyboard.press('Tab');
    await expect(page.locator(':focus')).toBeVisible();
    expect(await page.locator(':focus').evaluate(isCovered)).toBe(false);
  }
  await page.goto('/operator/catalogue');
  await page.getByRole('button', { name: 'Add plan' }).click();
  const plan = page.getByRole('dialog', { name: 'New plan' });
  await plan.getByLabel('Name').fill('Week');
  await plan.getByRole('button', { name: 'Save' }).click();
  await expect(plan.getByLabel('Price in GBP')).toBeFocused();
  await expect(plan.getByText('Price in GBP')).toBeInViewport();
});

/** Whether something else is above the middle of an element. */
function isCovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const shown = document.elementFromPoint(left + width / 2, top + height / 2);
  return shown === null || !(element.contains(shown) || shown.contains(element));
}
