// size: one list of all screens
import { chooseView, openSettings } from '../e2e/support/screens.ts';
import { addPack, fillAddress, orderPack, payWith } from '../e2e/support/shopping.ts';
import { moreScreens } from './more-screens.ts';
import { admin, client, layer, newcomer, operator, type Screen, visitor } from './screen.ts';
import {
  batch,
  chooseEmpty,
  dialog,
  fail,
  fill,
  go,
  key,
  press,
  pressInFrame,
  prompt,
  type Step,
  sample,
  see,
  seeInPage,
  upload,
} from './steps.ts';

const nora = { email: 'nora@example.test', password: 'plain straw 47 winter' };
const signInAs = (email: string, password: string): Step[] => [
  go('/auth/login'),
  fill('Email', email),
  fill('Password', password),
  press('Sign in'),
];

const publicPages = [
  visitor('auth login', [go('/auth'), see('This is a demo')]),
  visitor('auth login refused', [...signInAs('client@demo.test', 'mistaken'), see(/is wrong/)]),
  visitor('auth register', [go('/auth/register'), see('First name')]),
  visitor('auth register problems', [
    go('/auth/register'),
    fill('Password', 'short'),
    press('Create my account'),
    see('At least 8 characters.'),
  ]),
  visitor('auth check inbox', [
    go('/auth/register'),
    fill('First name', 'Nora'),
    fill('Last name', 'Newcomer'),
    fill('Email', nora.email),
    fill('Password', nora.password),
    press('Create my account'),
    see('Check your inbox'),
  ]),
  visitor('auth resendlink', [...signInAs(nora.email, nora.password), see('Verify your address')]),
  visitor('auth reset', [go('/auth/reset'), see('Send me a link')]),
  visitor('auth verify broken', [go('/auth/verify#nonsense'), see('Send a new link')]),
  visitor('auth plans', [go('/auth/plans'), see('Compare plans')]),
  visitor('auth billing', [go('/auth/billing'), seeInPage(/./)]),
  visitor('auth about', [go('/auth/about'), see('About Rowmill')]),
  visitor('auth help', [go('/auth/help'), see('What is a submission?')]),
  visitor('auth help nothing', [
    go('/auth/help'),
    fill('Search the answers', 'zebra'),
    see(/^No answer contains/),
  ]),
  visitor('auth terms', [go('/auth/terms'), see('What you get')]),
  visitor('auth privacy', [go('/auth/privacy'), see('What we store')]),
];

const problemLines = [
  'Name,Price,,Name',
  'Teapot,34.00,x,y',
  'Lamp,89.50',
  '',
  'Jacket,120.00,a,b,c,d',
  'Bla"nket,75.00,x,y',
  'Board,42,x,y',
];
const manyRows = Array.from({ length: 6_000 }, (_, index) => `${index},thing ${index}`);

const askPages = [
  newcomer('ask', [go('/ask'), see('Choose a file')]),
  newcomer('ask sheet', sample),
  newcomer(
    'ask quote',
    [
      ...sample,
      prompt('Describe {{Name}} ({{Material}}) in one friendly sentence.'),
      press('Try 2 rows'),
      see('2 of 2 answered.'),
      (page) => page.getByRole('button', { name: /^Run / }).and(page.locator(':enabled')).waitFor(),
    ],
    { inDocs: 'light' },
  ),
  newcomer('ask everything open', [
    ...sample,
    prompt('Describe {{Name}} in a {{tone}} voice, at most {{length}} words.'),
    async (page) => {
      for (const summary of await page.getByRole('main').locator('summary').all())
        await summary.click();
    },
  ]),
  newcomer('ask completion', [
    ...sample,
    (page) => page.getByLabel('Prompt for each row').pressSequentially('Describe {{'),
    (page) => page.getByRole('listbox').waitFor(),
  ]),
  admin('ask problems', [
    upload('price list 2026 (copy).csv', problemLines.join('\n')),
    see(/issues found/),
    prompt('Describe {{Name}} and {{Colour}}.'),
  ]),
  admin('ask unsure', [
    upload('latin.csv', Buffer.from('Name,Price\nCafé crème,3\nSoufflé,7\n', 'latin1')),
    see('This file can be read in more than one way.'),
  ]),
  admin('ask refused', [chooseEmpty('empty.csv'), see('empty.csv is empty.')]),
  admin('ask short', [
    upload('many-things.csv', ['Number,Name', ...manyRows].join('\n')),
    prompt('Describe {{Name}}.'),
    see(/submissions short/),
  ]),
  client('all prompts', [go('/ask/prompts'), seeInPage(/{{Name}}/)]),
  client('sheets', [go('/sheets'), seeInPage('spring-catalogue.csv')]),
  admin('ask single', [
    go('/ask?sheet=none'),
    fill('Your question', 'Why is the sky blue? Answer for a child of six.'),
    press('Ask'),
    see('All prompts and answers'),
  ]),
];

const running = batch('running', 'Running', 'SKU-0001');
const completed = batch('completed', 'Took', 'SKU-0001');

const batchPages = [
  client('history', [go('/history'), see('spring-catalogue.csv')]),
  client('history nothing', [go('/history?search=nothing'), see('No matching batches')]),
  client('batch running', [
    ...running,
    (page) => page.locator('summary').getByText('rows/min').click(),
    (page) => page.getByRole('img', { name: /^Rate over/ }).waitFor(),
  ]),
  client('batch completed', completed),
  client('batch failed rows', [...completed, press(/^Failed \(/)]),
  client('batch paused', batch('paused', 'Paused manually', 'SKU-0001')),
  client('batch stopped', batch('stopped', 'Took', 'SKU-0001')),
  client('batch row', [...completed, press('Open row 1'), see('Your row')]),
  client('batch stop', [...running, press(/^Stop: /)], layer),
  client('batch download', [...completed, press(/^Download: /)], layer),
  client('batch more', [...running, press(/^More: /)], layer),
  client('batch missing', [
    go('/history/00000000-0000-7000-8000-000000000000'),
    see('Batch not found'),
  ]),
];

const pack = '500 submissions';
const openOrder = [
  go('/orders'),
  seeInPage('Paid'),
  ((page) => page.getByRole('table').getByRole('button').first().click()) satisfies Step,
  dialog('Billed to'),
];
const checkout: Step = async (page) => {
  await addPack(page, pack);
  await page.goto('/checkout');
  await page.getByLabel('Town').waitFor();
};

const payment = (card: Parameters<typeof payWith>[1]): Step[] => [
  (page) => orderPack(page, pack),
  (page) => payWith(page, card),
];

/** Taken alone, the lists need something that was paid. */
const paidOrder = [...payment('is paid'), see('Thank you, your order is paid')];

const shopPages = [
  client('checkout empty', [go('/checkout'), see('Your cart is empty')]),
  client('credits', [go('/credits'), seeInPage(pack)]),
  client('credits in cart', [(page) => addPack(page, pack)]),
  client('checkout', [checkout, (page) => fillAddress(page)]),
  client('checkout problems', [
    checkout,
    fill('Name', ''),
    fill('Address', ''),
    fill('Town', ''),
    press(/^Continue to payment/),
  ]),
  client('checkout card', [(page) => orderPack(page, pack)]),
  client('checkout declined', [...payment('is declined'), see('Your card was declined.')]),
  client('checkout paid', paidOrder),
  client('checkout review', [...payment('is paid with the wrong amount'), see('In review')]),
  client('orders', [...paidOrder, go('/orders'), seeInPage('Paid')]),
  client('order', openOrder, layer),
  client('payments', [...paidOrder, go('/payments'), seeInPage('Paid')]),
];

const adminPages = [
  admin('clients', [go('/clients'), seeInPage('bakery@demo.test')]),
  admin('client', [go('/clients'), press('Manage Bella Crellin'), dialog()], layer),
  admin('client add', [go('/clients'), press('Add client'), dialog()], layer),
  admin('acting', [go('/clients'), press('Act as Bella Crellin'), see('Acting as')]),
  admin(
    'acting choice',
    [
      go('/dashboard'),
      seeInPage('Your clients'),
      (page) => chooseView(page, 'Client'),
      dialog('My own submissions'),
    ],
    layer,
  ),
  admin('activity', [go('/activity'), seeInPage(/./)]),
  operator('dashboard operator', [go('/dashboard'), see('Needs your attention')]),
  operator('operator', [go('/operator'), seeInPage('People')]),
  operator('operator person', [
    go('/operator?search=client@demo'),
    (page) => page.getByRole('main').getByRole('link', { name: /Clara/ }).click(),
    see('Adjust balance'),
  ]),
  operator('operator audit', [go('/operator?view=audit'), seeInPage('Audit log')]),
  operator('operator ledger', [go('/operator?view=ledger'), see(/ledger checks pass/)]),
  operator('operator reviews', [go('/operator?view=reviews'), seeInPage('Payments in review')]),
  operator(
    'review decision',
    [go('/operator?view=reviews'), press(/^Decide about/), dialog('Mismatch')],
    layer,
  ),
  operator('catalogue', [go('/operator/catalogue'), see('Currency and tax')]),
  operator('catalogue plan', [go('/operator/catalogue'), press('Edit Month'), dialog()], layer),
];
const welcome = [go('/dashboard'), see('Welcome')];
const drawer: Step = async (page) => {
  await page.goto('/dashboard');
  if ((page.viewportSize()?.width ?? 0) < 900)
    await page.getByRole('button', { name: 'Menu' }).click();
};

const noBatches = fail('**/getProcessedFiles*');

const framePages = [
  client('drawer', [drawer, dialog()], { ...layer, onlyPhone: true }),
  client('logout', [drawer, openSettings, pressInFrame('Logout'), dialog('logout')], layer),
  client('notifications', [go('/dashboard'), pressInFrame(/^Notifications/), dialog()], layer),
  client('palette', [...welcome, key('ControlOrMeta+k'), key('p')], layer),
  client('shortcuts', [...welcome, key('?'), dialog('Keyboard shortcuts')], layer),
  client(
    'toasts',
    [
      ...welcome,
      fail('**/getAvailableCredits'),
      pressInFrame('Refresh credits'),
      see('The server cannot be reached.'),
    ],
    layer,
  ),
  client('offline', [
    ...welcome,
    (page) => page.context().setOffline(true),
    see('You’re offline.'),
  ]),
  client(
    'update',
    [
      go('/dashboard'),
      (page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null),
      // A worker at another address is a new version to the browser.
      (page) =>
        page.evaluate(() => navigator.serviceWorker.register(`/sw.js?${performance.now()}`)),
      dialog('App Updated reload to apply'),
    ],
    layer,
  ),
  client('dashboard broken', [noBatches, go('/dashboard'), see('Try again')]),
  client('history broken', [noBatches, go('/history'), see('Try again')]),
  client('part missing', [
    fail('**/assets/profile-page-*.js'),
    go('/profile'),
    see('This page cannot be shown'),
  ]),
  client('cannot start', [fail('**/config.prod.json'), go('/auth'), see('Rowmill cannot start')]),
];

export const screens: readonly Screen[] = [
  ...publicPages,
  newcomer('dashboard empty', [go('/dashboard'), see('Last batches')]),
  newcomer('history empty', [go('/history'), see('No batches yet')]),
  newcomer('sheets empty', [go('/sheets'), see('You have no sheets')]),
  ...askPages,
  client('dashboard', [go('/dashboard'), see('autumn-catalogue.csv')]),
  admin('dashboard admin', [go('/dashboard'), see('Your clients')]),
  ...batchPages,
  client('profile', [go('/profile'), see('Appearance')]),
  client('changepassword', [go('/changepassword'), see('Current password')]),
  ...shopPages,
  ...adminPages,
  ...framePages,
  ...moreScreens,
];
