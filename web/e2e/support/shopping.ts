import { expect, type Page } from '@playwright/test';
import { testCards } from '@rowmill/contract';
import { intercept } from './intercept.ts';
import { openEmailLink } from './sign-in.ts';

export const password = 'plain straw 47 winter';

/** Chooses a plan as a visitor and registers. Leaves the browser signed out. */
export async function registerForPlan(page: Page, email: string, plan: 'Quarter' | 'Free') {
  await page.goto('/auth/plans');
  await page.getByRole('button', { name: `Choose ${plan}` }).click();
  await expect(page.getByText(/^You chose the plan Quarter: £\d/)).toBeVisible({
    visible: plan === 'Quarter',
  });
  await page.getByLabel('First name').fill('Vera');
  await page.getByLabel('Last name').fill('Visitor');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
}

/** Registers a visitor who chose a plan, and opens the page where it is paid. */
export async function registerWithPlan(page: Page, email: string) {
  await registerForPlan(page, email, 'Quarter');
  await openEmailLink(page, 'Please verify', email);
  await expect(page).toHaveURL('/auth/billing');
}

export async function fillAddress(page: Page) {
  await expect(page.getByLabel('Town')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Vera Visitor');
  await page.getByLabel('Address', { exact: true }).fill('1 Quay');
  await page.getByLabel('Town').fill('Douglas');
  await page.getByLabel('Country').selectOption('IM');
}

export async function continueToPayment(
  page: Page,
  method: 'Test card' | 'Test wallet' | 'PayPal',
) {
  await page.getByLabel(method, { exact: true }).check();
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
}

type CardLabel = (typeof testCards)[number]['label'];

export async function payWith(page: Page, card: CardLabel) {
  const number = testCards.find(({ label }) => label === card)?.number ?? '';
  await page.getByLabel('Choose a test card').selectOption(number);
  await page.getByRole('button', { name: /^Pay / }).click();
}

export async function addPack(page: Page, name: string) {
  await page.goto('/credits');
  await page.getByRole('button', { name: `Add to cart: ${name}` }).click();
  await expect(page.getByRole('link', { name: 'Cart: 1 item' })).toBeVisible();
}

/** Puts a pack in the cart and opens the card form. */
export async function orderPack(page: Page, name: string) {
  await addPack(page, name);
  await page.getByRole('link', { name: 'Go to checkout' }).click();
  await fillAddress(page);
  await continueToPayment(page, 'Test card');
  await expect(page.getByLabel('Choose a test card')).toBeVisible();
}

/** The same page in a tab that gets no news, as beyond the live ones. */
export async function openLateTab(page: Page): Promise<Page> {
  const late = await page.context().newPage();
  await intercept(late, '**/emedia/events', (route) => route.abort());
  await late.goto(page.url());
  return late;
}
