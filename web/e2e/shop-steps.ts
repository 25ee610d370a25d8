import AxeBuilder from '@axe-core/playwright';
import { testCards } from '@rowmill/contract';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const password = 'plain straw 47 winter';

export async function signIn(page: Page, email: string, secret = 'rowmill-demo') {
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/auth/login'));
}

async function openMail(page: Page, subject: string, to: string) {
  for (;;) {
    await page.goto('/dev/mail');
    const mail = page.locator('article', { hasText: subject }).filter({ hasText: to }).first();
    if (await mail.count()) return mail.getByRole('link').first().click();
  }
}

/** A newcomer who chose a plan before he had an account, up to the page where he pays for it. */
export async function comeToBilling(page: Page, email: string) {
  await page.goto('/auth/plans');
  await page.getByRole('button', { name: 'Choose Quarter' }).click();
  await page
    .getByRole('heading', { name: 'Create your account' })
    .or(page.getByLabel('First name'))
    .first()
    .waitFor();
  await page.getByLabel('First name').fill('Vera');
  await page.getByLabel('Last name').fill('Visitor');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  await openMail(page, 'Please verify', email);
  await page.getByText('your email address is verified').waitFor();
  await signIn(page, email, password);
  await page.waitForURL('**/auth/billing');
}

export async function fillAddress(page: Page) {
  await page.getByLabel('Name', { exact: true }).fill('Vera Visitor');
  await page.getByLabel('Address', { exact: true }).fill('1 Quay');
  await page.getByLabel('Town').fill('Douglas');
  await page.getByLabel('Country').selectOption('IM');
}

export async function continueBy(page: Page, method: 'Test card' | 'Test wallet') {
  await page.getByLabel(method, { exact: true }).check();
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
}

type CardWords = (typeof testCards)[number]['label'];

export async function payWith(page: Page, card: CardWords) {
  const number = testCards.find(({ label }) => label === card)?.number ?? '';
  await page.getByLabel('Choose a test card').selectOption(number);
  await page.getByRole('button', { name: /^Pay / }).click();
}

export async function addPack(page: Page, name: string) {
  await page.goto('/credits');
  await page.getByRole('button', { name: `Add to cart: ${name}` }).click();
  await page.getByRole('link', { name: 'Cart: 1 item' }).waitFor();
}

/** From the cart to the place where a card is asked for. */
export async function orderPack(page: Page, name: string) {
  await addPack(page, name);
  await page.getByRole('link', { name: 'Go to checkout' }).click();
  await page.getByLabel('Town').waitFor();
  await fillAddress(page);
  await continueBy(page, 'Test card');
  await page.getByLabel('Choose a test card').waitFor();
}

export async function expectUsableByAll(page: Page, widths: readonly number[] = [390, 1440]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
      true,
    );
  }
}
