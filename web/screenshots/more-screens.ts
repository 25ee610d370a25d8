import type { Page } from '@playwright/test';
import { admin, client, layer, newcomer, operator, type Screen, visitor } from './screen.ts';
import {
  batch,
  dialog,
  fail,
  fill,
  go,
  hang,
  press,
  prompt,
  type Step,
  sample,
  see,
  seeInPage,
  uploadSample,
} from './steps.ts';

/** States of screens that need a provider, a failure or a call that takes long. */
const failed = batch('failed', 'Took');
const again = seeInPage('Try again');
const skeleton: Step = (page) => page.locator('.skeleton').first().waitFor();
/** Above the page of the providers. */
const onProviders = (name: string, ...steps: Step[]) =>
  operator(name, [go('/operator/providers'), ...steps], layer);
const typed = [...batch('typed', 'Took'), see('R-1041')];
const open =
  (summary: string): Step =>
  (page) =>
    page.locator('summary').getByText(summary, { exact: true }).first().click();

/** A phone shows cards, which have no columns. */
const openColumns: Step = async (page, scene) => {
  if ((page.viewportSize()?.width ?? 0) > 640) await press('Columns: Rows')(page, scene);
};

const nameColumns: Step = async (page) => {
  const column = (number: number) => page.getByRole('group', { name: `Column ${number}` });
  await page.getByLabel('Answer as').selectOption('Columns');
  await column(1).getByLabel('Name').fill('audience');
  await column(1).getByLabel('Type').selectOption('One of a list');
  await column(1).getByLabel('List').fill('adults\nchildren');
  await page.getByRole('button', { name: 'Add column' }).click();
  await column(2).getByLabel('Name').fill('score');
  await column(2).getByLabel('Type').selectOption('Whole number');
  await column(2).getByLabel('What belongs here').fill('From 1 to 5');
};

const chooseAcme: Step = async (page) => {
  const option = page.getByLabel('Model').getByRole('option', { name: /^Acme models small/ });
  await page.getByLabel('Model').selectOption((await option.textContent()) ?? '');
};

const askStates = [
  admin('ask typed columns', [
    ...sample,
    prompt('Rate {{Name}}, made of {{Material}}.'),
    nameColumns,
    press('Try 2 rows'),
    see('2 of 2 answered.'),
    see(/^Up to \d+ submissions/),
  ]),
  admin('ask economy', [
    ...sample,
    chooseAcme,
    prompt('Praise {{Name}}.'),
    press('Try 2 rows'),
    see('2 of 2 answered.'),
    (page) => page.getByText(/^By .+8:00.+ · \d+ submissions$/).click(),
    see('Half the price, rounded up'),
    open('Advanced'),
  ]),
  newcomer('ask loading', [
    hang('**/getSheetRows*'),
    uploadSample,
    see('12 rows, 3 columns', { isLoading: true }),
  ]),
  newcomer('ask broken', [
    fail('**/askChatGpt'),
    ...sample,
    prompt('Praise {{Name}}.'),
    see('The server cannot be reached.'),
  ]),
];

const runAgain: Step[] = [
  ...failed,
  press(/^Run again/),
  (page) => page.getByRole('button', { name: /^30 failed/ }).click(),
  see('Prompt for each row'),
  chooseAcme,
  see(/^Rows 1, 2, 3 and 27 more · Up to \d+ submissions/),
];

const batchStates = [
  admin('batch typed', typed),
  admin('batch typed row', [...typed, press('Open row 2'), see('Your row')]),
  admin('batch columns', [...typed, openColumns], layer),
  admin('batch filter', [...typed, press(/^Filter/)], layer),
  admin('batch prompt', [...typed, press('Show prompt')]),
  admin('batch selected', [
    ...typed,
    (page) => page.getByRole('checkbox', { name: 'Select row 2', exact: true }).click(),
    see('Select all 30 found'),
  ]),
  admin('batch failed', failed),
  admin('batch refused', batch('refused', /Reason: /)),
  admin('batch no capacity', batch('noCapacity', /no capacity/)),
  admin('batch run again', [...failed, press(/^Run again/)], layer),
  admin('run again', runAgain),
  admin('batch retry', [...failed, press(/^Retry/), dialog('Retry')], layer),
  admin('batch options', [...failed, press(/^More: /), press(/^Change options/)], layer),
  admin('batch delete', [...failed, press(/^More: /), press(/^Delete/)], layer),
  client('batch loading', [
    hang('**/getBatch'),
    (page, scene) => page.goto(`/history/${scene.completed}`),
    skeleton,
  ]),
  client('batch rows broken', [fail('**/getRows'), ...batch('completed', 'Try again')]),
  client('history selected', [
    go('/history'),
    see('spring-catalogue.csv'),
    (page) =>
      page.getByRole('checkbox', { name: 'Select spring-catalogue.csv' }).check({ force: true }),
    see(/^1 selected$/),
  ]),
  client(
    'history menu',
    [go('/history'), see('spring-catalogue.csv'), press('More: spring-catalogue.csv')],
    layer,
  ),
  admin('history paused', [go('/history'), seeInPage('no capacity')]),
  client('history loading', [hang('**/getProcessedFiles*'), go('/history'), skeleton]),
  client('dashboard loading', [hang('**/getProcessedFiles*'), go('/dashboard'), skeleton]),
];

const actAsBella = [go('/clients'), press('Act as Bella Crellin'), see('Acting as')];

const otherStates = [
  newcomer('orders empty', [go('/orders'), seeInPage(/No /)]),
  newcomer('payments empty', [go('/payments'), seeInPage(/No /)]),
  newcomer('activity client', [go('/activity'), seeInPage(/./)]),
  admin('acting ask', [
    ...actAsBella,
    uploadSample,
    prompt('Praise {{Name}}.'),
    see('Balance after'),
  ]),
  admin('acting history', [...actAsBella, go('/history'), seeInPage(/No batches yet|\.csv/)]),
  operator('operator costs', [go('/operator?view=costs'), seeInPage('Total')]),
  operator('operator costs of models', [go('/operator?view=costs&by=model'), seeInPage('Total')]),
  operator('operator costs loading', [hang('**/getCosts'), go('/operator?view=costs'), skeleton]),
  operator('operator costs broken', [fail('**/getCosts'), go('/operator?view=costs'), again]),
  operator('operator people nothing', [go('/operator?search=zebra'), seeInPage(/No /)]),
  operator('providers', [go('/operator/providers'), seeInPage('Acme models')]),
  operator('providers loading', [hang('**/getProviders'), go('/operator/providers'), skeleton]),
  operator('providers broken', [fail('**/getProviders'), go('/operator/providers'), again]),
  onProviders(
    'provider refused',
    press('Add provider'),
    fill('Name', 'Acme models'),
    fill('Address', 'http://169.254.169.254/v1'),
    press('Save'),
    dialog('This address is not allowed'),
  ),
  onProviders('provider add', press('Add provider'), dialog()),
  onProviders('provider edit', press('Edit Acme models'), dialog()),
  onProviders('provider test', press('Test Acme models'), press('Ask'), dialog('It works.')),
  onProviders('provider test refused', press('Test Other provider'), press('Ask'), dialog(/./)),
  onProviders('model add', press('Add model to Acme models'), dialog()),
  onProviders('model edit', press('Edit Acme models small'), dialog()),
  operator('catalogue pack', [go('/operator/catalogue'), press(/^Edit 500/), dialog()], layer),
  client('not found', [go('/nowhere'), (page) => page.getByRole('main').waitFor()]),
];

/** The HTML of an email, newest first. */
const mail =
  (subject: RegExp): Step =>
  async (page: Page) => {
    const response = await page.request.get('/dev/mail', {
      headers: { accept: 'application/json' },
    });
    const { mails } = await response.json();
    const found = mails.find((mail: { subject: string }) => subject.test(mail.subject));
    if (!found)
      throw new Error(
        `No email about ${subject} among ${mails.map((mail: { subject: string }) => mail.subject).join(', ')}`,
      );
    await page.setContent(found.html);
  };

const emails = [
  visitor('outbox', [go('/dev/mail'), see('Outbox')]),
  visitor('mail verify', [mail(/verify|confirm/i)]),
  visitor('mail batch', [mail(/is done|paused|failed/i)]),
  visitor('mail paid', [mail(/paid|invoice|receipt/i)]),
];

export const moreScreens: readonly Screen[] = [
  ...askStates,
  ...batchStates,
  ...otherStates,
  ...emails,
];
