import { expect, type Page } from '@playwright/test';
import { signIn } from './sign-in.ts';

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
export const prompt = (page: Page) => page.getByLabel('Prompt for each row');
export const step = (page: Page, title: string) => page.getByRole('region', { name: title });
export const figure = (page: Page, name: string) =>
  page.getByRole('row', { name }).getByRole('cell');

export async function chooseSample(page: Page) {
  await button(page, 'Use the sample sheet').click();
  await expect(page.getByText('12 rows, 3 columns')).toBeVisible();
}

/** A person may upload ten files a minute, so the tests of this file spread over several people. */
export async function openAskAs(page: Page, email: string) {
  await signIn(page, email, '/ask');
}

export async function upload(page: Page, name: string, content: string | Buffer) {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) };
  await page.locator('input[type=file]').setInputFiles(file);
}
