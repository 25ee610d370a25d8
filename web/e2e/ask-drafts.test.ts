import { expect, type Page } from '@playwright/test';
import { button, prompt, step, upload } from './support/ask-page.ts';
import { testOnStage } from './support/fixtures.ts';
import { expectAccessible } from './support/screens.ts';
import { signIn } from './support/sign-in.ts';

const test = testOnStage();

const sheetOf = (rows: number) =>
  ['Name', ...Array.from({ length: rows }, (_, row) => `thing ${row}`)].join('\n');

/** Sends each start to the server, and loses its answer until `restore` is called. */
async function loseStarts(page: Page): Promise<{ restore: () => Promise<void> }> {
  await page.route('**/askChatGpt', async (route) => {
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
