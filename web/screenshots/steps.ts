import type { Page } from '@playwright/test';
import type { Scene } from './scene.ts';

export type Step = (page: Page, scene: Scene) => Promise<unknown>;

export const go =
  (path: string): Step =>
  (page) =>
    page.goto(path);

/** Waits for a text, and until loading has finished. */
export const see =
  (words: string | RegExp, { isLoading = false } = {}): Step =>
  async (page) => {
    await page.getByText(words).first().waitFor();
    if (!isLoading) await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  };

/** The same in the page itself, for words that the menu has too. */
export const seeInPage =
  (words: string | RegExp): Step =>
  async (page) => {
    await page.getByRole('main').getByText(words).first().waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  };

/** The page of a batch that the scene has. */
export const batch = (state: keyof Scene, ...words: (string | RegExp)[]): Step[] => [
  (page, scene) => page.goto(`/history/${scene[state]}`),
  ...words.map((word) => see(word)),
];

export const press =
  (name: string | RegExp): Step =>
  (page) =>
    page
      .getByRole('main')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name })
      .first()
      .click();

/** A button of the header or the menu. */
export const pressInFrame =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole('button', { name, exact: true }).last().click();

export const fill =
  (label: string, text: string): Step =>
  (page) =>
    page.getByLabel(label, { exact: true }).fill(text);

export const key =
  (keys: string): Step =>
  (page) =>
    page.keyboard.press(keys);

export const dialog =
  (words: string | RegExp = ''): Step =>
  (page) =>
    page.getByRole('dialog').getByText(words).first().waitFor();

export const upload =
  (name: string, content: string | Buffer): Step =>
  async (page) => {
    await page.goto('/ask');
    await page.getByRole('button', { name: 'Choose a file' }).waitFor();
    await uploadWhenAllowed(page, () => choose(page, name, content));
  };

/** The browser itself refuses it. */
export const chooseEmpty =
  (name: string): Step =>
  async (page) => {
    await page.goto('/ask');
    await page.getByRole('button', { name: 'Choose a file' }).waitFor();
    await choose(page, name, '');
  };

async function choose(page: Page, name: string, content: string | Buffer): Promise<void> {
  const buffer = Buffer.from(content);
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

export const uploadSample: Step = async (page) => {
  await page.goto('/ask');
  const button = page.getByRole('main').getByRole('button', { name: 'Use the sample sheet' });
  await uploadWhenAllowed(page, () => button.click());
};

/**
 * The screens of a person follow each other faster than ten uploads a minute are allowed: after a
 * refusal, this waits for as long as the server says.
 */
async function uploadWhenAllowed(page: Page, send: () => Promise<void>): Promise<void> {
  for (;;) {
    const [response] = await Promise.all([page.waitForResponse('**/saveFile'), send()]);
    if (response.status() !== 429) return;
    await page.waitForTimeout(Number(response.headers()['retry-after']) * 1_000);
  }
}

export const prompt = (text: string) => fill('Prompt for each row', text);
export const sample = [uploadSample, see('12 rows, 3 columns')];

/** Calls whose path matches fail from now on. */
export const fail =
  (path: string): Step =>
  (page) =>
    page.route(path, (route) => route.abort());

/** Calls whose path matches get no answer. */
export const hang =
  (path: string): Step =>
  (page) =>
    page.route(path, () => {});
