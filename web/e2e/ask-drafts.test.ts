import { expect, type Page } from '@playwright/test';
import { button, chooseSample, figure, prompt, step, upload } from './support/ask-page.ts';
import { openCompleted, startBatch } from './support/batches.ts';
import { post } from './support/calls.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { clickMenu, expectAccessible, expectToast } from './support/screens.ts';
import { signIn } from './support/sign-in.ts';

const test = testOnStage();

const sheetOf = (rows: number) =>
  ['Name', ...Array.from({ length: rows }, (_, row) => `thing ${row}`)].join('\n');

/** Sends each start to the server, and loses its answer until `restore` is called. */
async function loseStarts(page: Page): Promise<{ restore: () => Promise<void> }> {
  await intercept(page, '**/askChatGpt', async (route) => {
    if (!route.request().postDataJSON().query.start) return route.continue();
    await route.fetch();
    await route.abort();
  });
  return { restore: () => page.unroute('**/askChatGpt') };
}

test('repeats a start with a lost answer, although its batch has left too little', async ({
  page,
}) => {
  await signIn(page, 'client@demo.test', '/ask');
  await upload(page, 'things.csv', sheetOf(600));
  await prompt(page).fill('Name a colour for {{Name}}.');
  const lost = await loseStarts(page);
  await button(page, 'Run 600 rows').click();
  await expect(page.getByText('The server cannot be reached.').first()).toBeVisible();
  await lost.restore();
  await page.reload();
  const bar = step(page, 'Cost and start');
  await expect(bar.getByText('We don’t know whether the batch started.')).toBeVisible();
  await expect(step(page, 'Cost').first().getByText('submissions short')).toHaveCount(0);
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Run 600 rows' }).click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  await page.goto('/history');
  await expect(page.getByRole('link', { name: 'things.csv' })).toHaveCount(1);
});

/** Delays each start until `release` is called. */
async function holdStarts(page: Page): Promise<{ release: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await intercept(page, '**/askChatGpt', async (route) => {
    if (route.request().postDataJSON().query.start) await released;
    await route.continue();
  });
  return { release };
}

const clickInMenu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name }).click();

/** Until it is there, the page before it stays open. */
async function openDashboard(page: Page) {
  await clickInMenu(page, 'Dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
}

test('stays on the page that a person opened during a start, and keeps their next draft', async ({
  page,
}) => {
  await signIn(page, 'museum@demo.test', '/ask');
  await chooseSample(page);
  for (const next of ['', 'Name a smell for {{Name}}.']) {
    await prompt(page).fill('Name a sound for {{Name}}.');
    const held = await holdStarts(page);
    const sent = page.waitForRequest(
      (request) => request.url().endsWith('/askChatGpt') && request.postDataJSON().query.start,
    );
    await button(page, 'Run 12 rows').click();
    await sent;
    await openDashboard(page);
    await clickInMenu(page, 'Submit a Batch (CSV)');
    await expect(page.getByText('We don’t know whether the batch started.')).toBeVisible();
    if (next) await prompt(page).fill(next);
    await openDashboard(page);
    held.release();
    await expectToast(page, 'Your batch started: sample-products.csv.');
    await expect(page).toHaveURL('/dashboard');
    await clickInMenu(page, 'Submit a Batch (CSV)');
    if (next) await expect(prompt(page)).toHaveValue(next);
    else await chooseSample(page);
  }
});

test('asks for the file again once its sheet was deleted elsewhere', async ({ page }) => {
  await signIn(page, 'bakery@demo.test', '/ask');
  await upload(page, 'gone.csv', sheetOf(3));
  await prompt(page).fill('Praise {{Name}}.');
  await expect(button(page, 'Run 3 rows')).toBeEnabled();
  const { files } = await post(page, 'emedia/listFiles', { search: 'gone.csv' });
  await post(page, 'emedia/deleteFile', { id: files[0].id });
  await prompt(page).fill('Praise {{Name}} twice.');
  await expect(page.getByText('This sheet no longer exists.')).toBeVisible();
  await upload(page, 'here.csv', sheetOf(2));
  await expect(prompt(page)).toHaveValue('Praise {{Name}} twice.');
  await expect(button(page, 'Run 2 rows')).toBeEnabled();
});

test('offers to run the whole sheet once the batch to run again was deleted elsewhere', async ({
  page,
}) => {
  await signIn(page, 'bakery@demo.test', '/ask');
  const lamps = { name: 'lamps.csv', text: 'Name\nLamp\n', question: 'Praise {{Name}}.' };
  // The other batch of the sheet keeps it.
  const id = await openCompleted(page, { ...lamps, times: 2 });
  await clickMenu(page, 'Run again…: lamps.csv', 'The only row');
  await expect(button(page, 'Run 1 row')).toBeEnabled();
  const whole = button(page, 'Run the whole sheet instead');
  await expect(whole).toHaveCount(0);
  await post(page, 'emedia/deleteBatch', { id });
  await prompt(page).fill('Praise {{Name}} twice.');
  await expect(
    page.getByText(
      'The batch whose rows are to run again was deleted. Run the whole sheet instead.',
    ),
  ).toBeVisible();
  await expectAccessible(page);
  await whole.click();
  await expect(button(page, 'Run 1 row')).toBeEnabled();
  await expect(prompt(page)).toHaveValue('Praise {{Name}} twice.');
});

test('keeps the single question when a batch starts', async ({ page }) => {
  await signIn(page, 'museum@demo.test', '/ask?sheet=none');
  const question = page.getByLabel('Your question');
  await question.fill('Which tea is this?');
  await page.getByRole('link', { name: 'A whole sheet' }).click();
  await chooseSample(page);
  // So long that it fits into a request only once.
  await prompt(page).fill(`Praise {{Name}}. ${'語'.repeat(80_000)}`);
  await button(page, 'Run 12 rows').click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  await page.goto('/ask');
  await expect(button(page, 'Choose a file')).toBeVisible();
  await page.goto('/ask?sheet=none');
  await expect(question).toHaveValue('Which tea is this?');
});

test('brings back a prompt that was replaced by an earlier one', async ({ page }) => {
  await signIn(page, 'admin@demo.test', '/ask?sheet=none');
  const question = page.getByLabel('Your question');
  await question.fill('Why is tea green?');
  await button(page, 'Ask').click();
  await expect(page.getByText('Demo answer (no AI)').first()).toBeVisible();
  const text = 'Name\nLamp\n';
  const id = await startBatch(page, { name: 'lamps.csv', text, question: 'Praise {{Name}}.' });
  await question.fill('Why is coffee brown?');
  await page.getByRole('link', { name: 'A whole sheet' }).click();
  await chooseSample(page);
  await prompt(page).fill('Price {{Name}}.');
  await page.goto(`/history/${id}`);
  await clickMenu(page, 'Run again…: lamps.csv', 'The only row');
  await expect(prompt(page)).toHaveValue('Praise {{Name}}.');
  const replaced = page.getByText('Your prompt was replaced.');
  await expect(replaced).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'One question' }).click();
  await expect(question).toHaveValue('Why is coffee brown?');
  await expect(replaced).toHaveCount(0);
  await page.getByRole('link', { name: 'A whole sheet' }).click();
  await prompt(page).fill('Praise {{Name}} warmly.');
  for (const [text, size] of [
    ['Price {{Name}}.', '12 rows, 3 columns'],
    ['Praise {{Name}} warmly.', '1 row, 1 column'],
  ] as const) {
    await button(page, 'Undo').click();
    await expect(prompt(page)).toHaveValue(text);
    await expect(page.getByText(size)).toBeVisible();
  }
  await expect(replaced).toHaveCount(0);
  async function takeAgain() {
    await page.goto('/ask/prompts');
    const asked = page.getByRole('listitem').filter({ hasText: 'Why is tea green?' });
    await asked.getByRole('button', { name: 'Use again' }).click();
    await expect(question).toHaveValue('Why is tea green?');
  }
  await takeAgain();
  await button(page, 'Undo').click();
  await expect(question).toHaveValue('Why is coffee brown?');
  await takeAgain();
  await expect(replaced).toBeVisible();
  await question.fill('Why is tea black?');
  await expect(replaced).toHaveCount(0);
});

test('tries the sample in the place of a draft, which comes back', async ({ page }) => {
  await signIn(page, 'museum@demo.test', '/ask');
  await upload(page, 'lamps.csv', 'Name\nLamp\n');
  await prompt(page).fill('Light {{Name}}.');
  await page.goto('/ask?sample=1');
  await expect(page.getByText('12 rows, 3 columns')).toBeVisible();
  await expect(prompt(page)).toHaveValue(/^Write one friendly sentence/);
  await expect(page).toHaveURL('/ask');
  await button(page, 'Undo').click();
  await expect(prompt(page)).toHaveValue('Light {{Name}}.');
  await expect(page.getByText('1 row, 1 column')).toBeVisible();
});

test('asks for a quote again once a variable or the reading of the sheet changes', async ({
  page,
}) => {
  await signIn(page, 'bakery@demo.test', '/ask');
  await upload(page, 'teas.csv', 'Name,Place\nAssam,hot\nKeemun,cold\n');
  await prompt(page).fill('Describe a tea, {{tone}}.');
  await page.getByText('Saved variables', { exact: true }).click();
  const saveTone = async (text: string) => {
    await page.getByLabel('Text', { exact: true }).fill(text);
    await button(page, 'Save').click();
    await expectToast(page, 'Saved “tone”.');
  };
  await page.getByLabel('Name', { exact: true }).fill('tone');
  await saveTone('warmly');
  const answers = page.getByRole('grid').getByText('Demo answer (no AI)');
  await expect(figure(page, 'Rows').first()).toHaveText('2');
  await page.getByText('Import settings').click();
  await page.getByRole('switch', { name: 'First row is a header' }).click();
  await expect(figure(page, 'Rows').first()).toHaveText('3');
  await button(page, 'Try 2 rows').click();
  await expect(answers).toHaveCount(2);
  await expect(figure(page, 'Already answered')).toHaveText('2');
  await button(page, 'Edit tone').click();
  await saveTone('coldly');
  await expect(page.getByText('Preview out of date.')).toBeVisible();
  await expect(figure(page, 'Already answered')).toHaveCount(0);
  await expect(answers).toHaveCount(0);
});
