import type { Page } from 'playwright-core';
import { adminPages, shopPages, troubles } from './screenshots-more.ts';
import type { Scene, Screen } from './screenshots-scene.ts';

const client = 'client@demo.test';
const admin = 'admin@demo.test';
/** Somebody who has not begun. */
const newcomer = 'bakery@demo.test';

export const screens: readonly Screen[] = [
  ...publicPages(),
  { name: 'dashboard empty', who: newcomer, open: async (page) => settled(page, 'Last batches') },
  { name: 'history empty', who: newcomer, open: at('/history', 'No batches yet') },
  ...askPages(),
  {
    name: 'dashboard',
    who: client,
    open: async (page) => settled(page, 'autumn-catalogue.csv'),
    inDocuments: 'light',
  },
  { name: 'dashboard admin', who: admin, open: async (page) => settled(page, 'Your clients') },
  ...batchPages(),
  ...accountPages(),
  ...shopPages(),
  ...adminPages(),
  ...troubles(),
  { name: 'drawer', who: client, onlyPhone: true, isLayer: true, open: openDrawer },
  { name: 'logout', who: client, isLayer: true, open: openLogout },
  { name: 'notifications', who: client, isLayer: true, open: openNotifications },
];

function publicPages(): Screen[] {
  return [
    { name: 'auth login', open: at('/auth', 'This is a demo') },
    { name: 'auth login refused', open: signInWrongly },
    { name: 'auth register', open: at('/auth/register', 'First name') },
    { name: 'auth register problems', open: registerEmpty },
    { name: 'auth check inbox', open: register },
    { name: 'auth resendlink', open: waitUnverified },
    { name: 'auth reset', open: at('/auth/reset', 'Send me a link') },
    { name: 'auth verify broken', open: at('/auth/verify#nonsense', 'Send a new link') },
    { name: 'auth plans', open: at('/auth/plans', 'Compare plans') },
    { name: 'auth billing', open: async (page) => settledAt(page, '/auth/billing') },
    { name: 'auth about', open: at('/auth/about', 'About Rowmill') },
    { name: 'auth help', open: at('/auth/help', 'What is a submission?') },
    { name: 'auth help nothing', open: searchNothing },
    { name: 'auth terms', open: at('/auth/terms', 'What you get') },
    { name: 'auth privacy', open: at('/auth/privacy', 'What we store') },
    { name: 'not found', open: at('/auth/nowhere', 'no longer exists') },
  ];
}

function askPages(): Screen[] {
  return [
    { name: 'ask', who: newcomer, open: at('/ask', 'Choose a file') },
    { name: 'ask sheet', who: newcomer, open: takeSample },
    { name: 'ask quote', who: newcomer, open: quote, inDocuments: 'light' },
    { name: 'ask everything open', who: newcomer, open: openEverything },
    { name: 'ask completion', who: newcomer, open: complete },
    { name: 'ask problems', who: admin, open: uploadProblems },
    { name: 'ask unsure', who: admin, open: uploadUnsure },
    { name: 'ask refused', who: admin, open: uploadEmpty },
    { name: 'ask short', who: admin, open: uploadMany },
    { name: 'ask single', who: admin, open: askSingle },
  ];
}

function batchPages(): Screen[] {
  const batch = (
    name: keyof Scene['batches'],
    words: string,
    more?: (page: Page) => Promise<void>,
  ): Screen['open'] => {
    return async (page, scene) => {
      await at(`/history/${scene.batches[name]}`, words)(page);
      await page.getByRole('button', { name: 'Open row 1', exact: true }).waitFor();
      await more?.(page);
    };
  };
  return [
    {
      name: 'history',
      who: client,
      open: at('/history', 'spring-catalogue.csv'),
      inDocuments: 'dark',
    },
    {
      name: 'history nothing',
      who: client,
      open: at('/history?search=nothing', 'No matching batches'),
    },
    {
      name: 'batch running',
      who: client,
      open: batch('running', 'Running', drawRate),
      inDocuments: 'light',
    },
    { name: 'batch completed', who: client, open: batch('completed', 'Receipt') },
    { name: 'batch failed rows', who: client, open: batch('completed', 'Receipt', showFailed) },
    { name: 'batch paused', who: client, open: batch('paused', 'Paused manually') },
    { name: 'batch stopped', who: client, open: batch('stopped', 'Receipt') },
    { name: 'batch row', who: client, isLayer: true, open: batch('completed', 'Receipt', openRow) },
    {
      name: 'batch stop',
      who: client,
      isLayer: true,
      open: batch('running', 'Running', press(/^Stop: /)),
    },
    {
      name: 'batch download',
      who: client,
      isLayer: true,
      open: batch('completed', 'Receipt', press(/^Download: /)),
    },
    {
      name: 'batch more',
      who: client,
      isLayer: true,
      open: batch('running', 'Running', press(/^More: /)),
    },
    {
      name: 'batch missing',
      who: client,
      open: at('/history/00000000-0000-7000-8000-000000000000', 'Batch not found'),
    },
  ];
}

function accountPages(): Screen[] {
  return [
    { name: 'profile', who: client, open: at('/profile', 'Appearance') },
    { name: 'changepassword', who: client, open: at('/changepassword', 'Current password') },
  ];
}

/** Opens an address and waits for words on it. */
function at(path: string, words: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.goto(path);
    await page.getByText(words).first().waitFor();
  };
}

function press(name: RegExp): (page: Page) => Promise<void> {
  return (page) => page.getByRole('button', { name }).first().click();
}

/** Nothing on it is still on its way. */
async function settled(page: Page, words: string) {
  await page.getByText(words).first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

async function settledAt(page: Page, path: string) {
  await page.goto(path);
  await page.getByRole('heading').first().waitFor();
  await page.waitForTimeout(500);
}

async function signInWrongly(page: Page) {
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill('client@demo.test');
  await page.getByLabel('Password', { exact: true }).fill('mistaken');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText(/wrong/).waitFor();
}

async function registerEmpty(page: Page) {
  await page.goto('/auth/register');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create my account' }).click();
  await page.locator('.field__problem').first().waitFor();
}

const stranger = { email: 'nora@example.test', password: 'plain straw 47 winter' };

async function register(page: Page) {
  await page.goto('/auth/register');
  await page.getByLabel('First name').fill('Nora');
  await page.getByLabel('Last name').fill('Newcomer');
  await page.getByLabel('Email').fill(stranger.email);
  await page.getByLabel('Password', { exact: true }).fill(stranger.password);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
}

async function waitUnverified(page: Page) {
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill(stranger.email);
  await page.getByLabel('Password', { exact: true }).fill(stranger.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Verify your address' }).waitFor();
}

async function searchNothing(page: Page) {
  await page.goto('/auth/help');
  await page.getByLabel('Search the answers').fill('zebra');
  await page.getByText('Nothing found').waitFor();
}

const prompt = (page: Page) => page.getByLabel('Prompt for each row');

async function takeSample(page: Page) {
  await page.goto('/ask');
  await page.getByRole('button', { name: 'Use the sample sheet' }).click();
  await page.getByText('12 rows, 3 columns').waitFor();
}

async function quote(page: Page) {
  await takeSample(page);
  await prompt(page).fill('Describe {{Name}} ({{Material}}) in one friendly sentence.');
  await page.getByRole('button', { name: 'Try 2 rows' }).click();
  await page.getByText('2 of 2 answered.').waitFor();
  await page.getByText('Balance after').waitFor();
}

async function openEverything(page: Page) {
  await takeSample(page);
  await prompt(page).fill('Describe {{Name}} in a {{tone}} voice, at most {{length}} words.');
  for (const summary of await page.getByRole('main').locator('summary').all())
    await summary.click();
}

async function complete(page: Page) {
  await takeSample(page);
  await prompt(page).focus();
  await page.keyboard.type('Describe {{');
  await page.getByRole('listbox').waitFor();
}

async function upload(page: Page, name: string, bytes: Buffer) {
  await page.goto('/ask');
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: bytes });
}

async function uploadProblems(page: Page) {
  const lines = [
    'Name,Price,,Name',
    'Teapot,34.00,x,y',
    'Lamp,89.50',
    '',
    'Jacket,120.00,a,b,c,d',
    'Bla"nket,75.00,x,y',
    'Board,42,x,y',
  ];
  await upload(page, 'price list 2026 (copy).csv', Buffer.from(lines.join('\n')));
  await page.getByText(/issues found/).waitFor();
  await prompt(page).fill('Describe {{Name}} and {{Colour}}.');
}

async function uploadUnsure(page: Page) {
  await upload(page, 'latin.csv', Buffer.from('Name,Price\nCafé crème,3\nSoufflé,7\n', 'latin1'));
  await page.getByText('This file can be read in more than one way.').waitFor();
}

async function uploadEmpty(page: Page) {
  await upload(page, 'empty.csv', Buffer.alloc(0));
  await page.getByRole('alert').getByText('empty.csv is empty.').waitFor();
}

async function uploadMany(page: Page) {
  const rows = Array.from({ length: 6_000 }, (_, index) => `${index},thing ${index}`);
  await upload(page, 'many-things.csv', Buffer.from(['Number,Name', ...rows].join('\n')));
  await prompt(page).fill('Describe {{Name}}.');
  await page.getByText(/submissions short/).waitFor();
}

async function askSingle(page: Page) {
  await page.goto('/ask?sheet=none');
  await page.getByLabel('Your question').fill('Why is the sky blue? Answer for a child of six.');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByText('Balance after:').waitFor();
}

/** The rate is drawn after a few samples. */
async function drawRate(page: Page) {
  await page.getByRole('img', { name: /^Rate over/ }).waitFor();
}

async function showFailed(page: Page) {
  await page.getByRole('button', { name: /^Failed \(/ }).click();
  await page
    .getByRole('button', { name: 'Open row 1', exact: true })
    .waitFor({ state: 'detached' });
}

async function openRow(page: Page) {
  await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
  await page.getByRole('dialog', { name: 'Row 1' }).waitFor();
}

async function openDrawer(page: Page) {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').waitFor();
}

async function openLogout(page: Page) {
  if ((page.viewportSize()?.width ?? 0) < 900) await openDrawer(page);
  else await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Logout' }).last().click();
  await page.getByRole('dialog', { name: 'Log Out' }).waitFor();
}

async function openNotifications(page: Page) {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Notifications' }).click();
  await page.getByRole('dialog').waitFor();
}
