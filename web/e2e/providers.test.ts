// size: providers, models and their batches share a server and its fake provider
import { expect, type Page } from '@playwright/test';
import { askChatGpt } from '@rowmill/contract';
import { startFakeChat } from '../../fakes/chat/server.ts';
import { button, chooseSample, figure, prompt, step } from './support/ask-page.ts';
import { post } from './support/calls.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { expectAccessibleAt, expectToast } from './support/screens.ts';
import { signIn, startSession } from './support/sign-in.ts';

const key = 'sk-browser-0123456789';
const test = testOnStage({
  settings: { SECRETS_KEY: 'a key of the browser tests, long enough' },
});

test('adds a provider, tests it, and offers its model to clients', async ({ page, openPage }) => {
  await using fake = await startFakeChat({ key });
  await startSession(page, 'operator@demo.test');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/operator/providers');
  // The last tab, which a phone has no room for.
  await expect(page.getByRole('link', { name: 'Providers' })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/operator');
  await page.getByRole('link', { name: 'Providers' }).click();
  await expect(page.getByText('From the server’s settings')).toBeVisible();
  // Also in a window that gets narrower.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('link', { name: 'Providers' })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 720 });

  await page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Protocol').selectOption('Anthropic Messages');
  await expect(dialog.getByText('For example https://api.anthropic.com/v1.')).toBeVisible();
  const limits = dialog.getByLabel('These limits count');
  await expect(limits).toHaveValue('model');
  await dialog.getByLabel('Protocol').selectOption('OpenAI-compatible');
  await expect(limits).toHaveValue('key');
  await dialog.getByLabel('Address').fill('https://api.openai.com/v1');
  await expect(limits).toHaveValue('model');
  await dialog.getByLabel('Name').fill('Acme models');
  await dialog.getByLabel('Address').fill('http://169.254.169.254/v1');
  await dialog.getByLabel('Requests per minute').fill('lots');
  await dialog.getByRole('textbox', { name: 'Key' }).fill(key);
  await expectAccessibleAt(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Must be a whole number')).toBeVisible();
  await dialog.getByLabel('Requests per minute').fill('6,000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('This address is not allowed')).toBeVisible();
  await dialog.getByLabel('Address').fill(fake.url);
  await expect(limits).toHaveValue('key');
  await limits.selectOption('The calls of each model');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const section = page.getByRole('region', { name: 'Acme models' });
  await expect(section.getByText('No models yet.')).toBeVisible();
  await expect(section.getByText('6,000 requests a minute · limits for each')).toBeVisible();
  await expect(page.getByText(key)).toHaveCount(0);

  await section.getByRole('button', { name: 'Test' }).click();
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByText('It works.')).toBeVisible();
  await expect(dialog.getByText('Kept to the schema')).toBeVisible();
  await expectAccessibleAt(page);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await section.getByRole('button', { name: 'Add model' }).click();
  await dialog.getByLabel('Name at the provider').fill('fake-small');
  await dialog.getByLabel('Label').fill('Acme small');
  await dialog.getByLabel('Price in submissions').fill('2');
  await dialog.getByLabel('Tokens for this price').fill('100');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter how long an answer may be')).toBeVisible();
  await dialog.getByLabel('Maximum answer length (tokens)').fill('40');
  await dialog.getByLabel('Input tokens', { exact: false }).first().fill('2.5');
  await dialog.getByLabel('Requests per minute').fill('3,000');
  await dialog.getByLabel('Temperature').uncheck();
  const efforts = dialog.getByRole('group', { name: 'Reasoning efforts it accepts' });
  await expect(efforts).toHaveCount(0);
  await dialog.getByLabel('Reasoning effort').check();
  await efforts.getByLabel('None').check();
  await efforts.getByLabel('High', { exact: true }).uncheck();
  await dialog.getByLabel('Stop texts').check();
  const flexCost = dialog.getByLabel('Flex tier cost (%)');
  await dialog.getByLabel('Has a flex tier').check();
  await expect(flexCost).toHaveValue('50');
  await flexCost.fill('101');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('At most 100.')).toBeVisible();
  await flexCost.fill('75');
  await expectAccessibleAt(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(section.getByText(/^2\.50 in .* flex 75%$/)).toBeVisible();
  await expect(section.getByText('2 per 100 tokens')).toBeVisible();
  await expectAccessibleAt(page);
  await page.reload();
  await section.getByRole('button', { name: 'Edit Acme small' }).click();
  await expect(dialog.getByLabel('Temperature')).not.toBeChecked();
  await expect(dialog.getByLabel('Answer columns')).toBeChecked();
  await expect(efforts.getByLabel('High', { exact: true })).not.toBeChecked();
  await expect(flexCost).toHaveValue('75');
  await expect(dialog.getByLabel('Requests per minute')).toHaveValue('3000');

  const client = await openPage();
  await signIn(client, 'client@demo.test', '/ask');
  await client.getByRole('button', { name: 'Use the sample sheet' }).click();
  await client.getByLabel('Model').selectOption({
    label: 'Acme small, 2 per 100 tokens',
  });
  await client.getByText('Advanced', { exact: true }).click();
  await expect(client.getByLabel('Instructions')).toBeVisible();
  await expect(client.getByLabel('Temperature')).toHaveCount(0);
  await client.getByText('More options', { exact: true }).click();
  const effort = client.getByLabel('Reasoning effort');
  await expect(effort.getByRole('option')).toHaveText(['Default', 'None', 'Low', 'Medium']);
  await effort.selectOption('Low');
  await client.getByLabel('Stop texts').fill('END\n###\n');
  await expect(client.getByLabel('Top-p')).toHaveCount(0);
  await expect(client.getByLabel('Seed')).toHaveCount(0);

  // An option that the model no longer takes is named where the batch would be started.
  const stopTexts = dialog.getByLabel('Stop texts');
  await stopTexts.uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await client.getByLabel('Prompt for each row').fill('Rate {{Name}} now.');
  const notTaken = client.getByText('Acme small does not accept stop texts. Leave it empty');
  await expect(notTaken).toBeVisible();
  await section.getByRole('button', { name: 'Edit Acme small' }).click();
  await stopTexts.check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await client.getByRole('button', { name: 'Try again' }).click();
  await expect(notTaken).toHaveCount(0);

  // What the model makes of answer columns is found with the first one, and shown.
  fake.behave({ responseFormat: 'ignored' });
  const finding = client.getByText('This model ignores answer formats');
  await client.getByLabel('Prompt for each row').fill('Rate {{Name}}.');
  await client.getByLabel('Answer as').selectOption('Columns');
  await client.getByRole('group', { name: 'Column 1' }).getByLabel('Name').fill('score');
  await client.getByRole('button', { name: 'Try 2 rows' }).click();
  await expect(client.getByText('2 of 2 answered.')).toBeVisible();
  await expect(finding).toBeVisible();
  const estimate = client.getByText(/^Likely: .+, \d+ tokens, \d+ submissions$/);
  await estimate.click();
  await expect(client.getByText('from the rows you tried', { exact: false })).toBeVisible();
  await expect(client.getByText(/^Up to \d+ submissions/)).toBeVisible();
  const later = client.getByText(/^By .+8:00.+ · \d+ submissions$/);
  await later.click();
  await expect(client.getByText('Half the price, rounded up', { exact: false })).toBeVisible();
  await expect(client.getByRole('button', { name: 'Run 12 rows' })).toBeEnabled();
  await expectAccessibleAt(client);
  await client.getByText(/^Now · \d+ submissions$/).click();
  await expect(estimate).toBeVisible();
  await expectAccessibleAt(client);
  await client.getByRole('button', { name: 'Run 12 rows' }).click();
  await expect(client).toHaveURL(/\/history\/[^/]+$/);
  expect(fake.calls.at(-1)?.options).toMatchObject({ stop: ['END', '###'], max_tokens: 40 });
  await client.getByText('Estimate and result').click();
  const compared = client.getByText(/Estimated: \d+ tokens/);
  await expect(compared).toBeVisible();
  await expectAccessibleAt(client);
  await client.keyboard.press('Escape');
  await expect(compared).toBeHidden();
  await client.getByText('Estimate and result').click();
  await expect(compared).toBeVisible();
  await client.getByRole('heading', { level: 1 }).click();
  await expect(compared).toBeHidden();
  await client.getByRole('button', { name: 'Show prompt' }).click();
  await expect(finding).toBeVisible();
  await expectAccessibleAt(client);

  // The same by tomorrow morning, while the flex tier has no capacity.
  fake.behave({ shareWithoutFlex: 1 });
  await client.goto('/ask');
  await client.getByRole('button', { name: 'Use the sample sheet' }).click();
  await client.getByLabel('Model').selectOption({
    label: 'Acme small, 2 per 100 tokens',
  });
  await client.getByLabel('Prompt for each row').fill('Praise {{Name}}.');
  await later.click();
  await client.getByRole('button', { name: 'Run 12 rows' }).click();
  await expect(client).toHaveURL(/\/history\/[^/]+$/);
  await expect(client.getByText(/^Half price, by .+8:00/)).toBeVisible();
  await expect(client.getByText('has no capacity at half price')).toBeVisible();
  await expectAccessibleAt(client);
  expect(fake.calls.at(-1)?.options).toMatchObject({ service_tier: 'flex' });
  const batch = client.url();
  await client.goto('/history');
  const why = client.getByText('The model has no capacity at half price right now.');
  for (const width of [390, 700, 1024, 1440]) {
    await client.setViewportSize({ width, height: 900 });
    await expect(why).toBeInViewport({ ratio: 1 });
    const isWhole = ({ scrollWidth, clientWidth }: Element) => scrollWidth <= clientWidth;
    expect(await why.evaluate(isWhole), `the reason is whole at ${width} px`).toBe(true);
  }
  await client.goto(batch);
  await client.getByRole('button', { name: 'Keep paused' }).click();
  await expect(client.getByText('Paused manually.')).toBeVisible();
  // Only now: the batch resumes by itself every minute.
  fake.behave({ shareWithoutFlex: 0 });
  await expect(client.getByRole('button', { name: 'Keep paused' })).toBeHidden();
  await client.getByRole('button', { name: 'Resume' }).click();
  await expect(client.getByText('12 of 12 rows answered')).toBeVisible();
});

/** A client writes a prompt for the sample sheet and chooses a model. */
async function describeSample(client: Page, model: string) {
  await signIn(client, 'client@demo.test', '/ask');
  await chooseSample(client);
  await prompt(client).fill('Describe {{Name}}.');
  await client.getByLabel('Model, price in submissions').selectOption({ label: model });
}

/** Adds a provider with one model, and returns how to set the model's price. */
async function offerModel(page: Page, address: string, label: string) {
  const { provider } = await post(page, 'saveProvider', {
    ...{ name: label, kind: 'openai', address, key, concurrency: 8, is_enabled: true },
  });
  return (price: object) =>
    post(page, 'saveModel', {
      ...{ name: label.toLowerCase(), label, provider_id: provider.id, asked_as: 'fake-small' },
      ...{ input_cost: null, cached_cost: null, output_cost: null, options: [] },
      ...{ offered_to: 'everyone', fallback: null, position: 1, ...price },
    });
}

test('asks before Escape or Back discards a form, and requires one name of a model', async ({
  page,
}) => {
  await signIn(page, 'operator@demo.test', '/operator');
  await page.getByRole('link', { name: 'Providers' }).click();
  await expect(page.getByText('Offered only while no other model is.')).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'New model' });
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  const open = page.getByRole('button', { name: 'Add model to demo' });
  await open.click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await open.click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter the name that the provider gives the model.')).toBeVisible();
  await expect(dialog.locator('[aria-invalid=true]')).toHaveCount(1);
  await dialog.getByLabel('Name at the provider').fill('demo-large');
  await page.keyboard.press('Escape');
  await expectAccessibleAt(page);
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('dialog')).toHaveCount(1);
  await expect(dialog.getByLabel('Name at the provider')).toHaveValue('demo-large');
  await dialog.getByLabel('Name at the provider').press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(open).toBeFocused();
  await open.click();
  await dialog.getByLabel('Name at the provider').fill('demo-small');
  await dialog.getByRole('checkbox', { name: 'Reasoning effort' }).check();
  for (const effort of ['Low', 'Medium', 'High'])
    await dialog.getByRole('checkbox', { name: effort, exact: true }).uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Choose at least one effort')).toBeInViewport();
  await expect(dialog.getByRole('checkbox', { name: 'None' })).toBeFocused();
  await expectAccessibleAt(page);
  await page.goBack();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  // Closed it is hidden, but the answer is taken a moment later.
  await expect(page.locator('dialog')).toHaveCount(1);
  await expect(dialog.getByLabel('Name at the provider')).toHaveValue('demo-small');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/\/operator$/);
});

test('moves a model to another provider, so that its own can be deleted', async ({ page }) => {
  await startSession(page, 'operator@demo.test');
  const offer = await offerModel(page, 'http://127.0.0.1:9/v1', 'Leaving');
  const { model } = await offer({ submissions_per_row: 1 });
  const { provider } = await post(page, 'saveProvider', {
    ...{ name: 'Staying', kind: 'gemini', address: 'http://127.0.0.1:9/v1', key },
    ...{ concurrency: 8, is_enabled: false },
  });
  await post(page, 'saveModel', {
    ...{ name: 'other', label: 'Other', provider_id: provider.id, asked_as: 'fake-large' },
    ...{ submissions_per_row: 1, input_cost: null, cached_cost: null, output_cost: null },
    ...{ options: [], offered_to: 'none', fallback: model.name, position: 2 },
  });
  await offer({ submissions_per_row: 1, fallback: 'other', version: model.version });
  await page.goto('/operator/providers');
  const leaving = page.getByRole('region', { name: 'Leaving' });
  const dialog = page.getByRole('dialog');
  await expect(leaving.getByText('Other (its provider is turned off)')).toBeVisible();
  await leaving.getByRole('button', { name: 'Delete Leaving' }).click();
  await expect(dialog.getByText('Move each to another provider first')).toBeVisible();
  await expectAccessibleAt(page);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await leaving.getByRole('button', { name: 'Edit Leaving' }).last().click();
  await expect(dialog.getByLabel('Has a flex tier')).toBeVisible();
  await dialog.getByLabel('Provider', { exact: true }).selectOption('Staying');
  await expect(dialog.getByText('For example gemini-2.5-flash.')).toBeVisible();
  await expect(dialog.getByLabel('Has a flex tier')).toHaveCount(0);
  await expectAccessibleAt(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const staying = page.getByRole('region', { name: 'Staying' });
  await expect(staying.getByRole('row', { name: 'Leaving' }).first()).toBeVisible();
  await leaving.getByRole('button', { name: 'Delete Leaving' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(leaving).toHaveCount(0);
});

test('deletes a provider without models after a confirmation', async ({ page }) => {
  await startSession(page, 'operator@demo.test');
  const mistyped = { name: 'Mistyped', kind: 'openai', address: 'http://127.0.0.1:9/v1' };
  await post(page, 'saveProvider', { ...mistyped, concurrency: 8, is_enabled: true });
  await page.goto('/operator/providers');
  const section = page.getByRole('region', { name: 'Mistyped' });
  await section.getByRole('button', { name: 'Delete Mistyped' }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessibleAt(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(section).toBeVisible();
  await section.getByRole('button', { name: 'Delete Mistyped' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Deleted Mistyped.');
  await expect(section).toHaveCount(0);
});

test('shows the current version of what another operator saved meanwhile', async ({ page }) => {
  await startSession(page, 'operator@demo.test');
  const change = await offerModel(page, 'http://127.0.0.1:9/v1', 'Shared');
  const { model } = await change({ submissions_per_row: 1 });
  await page.goto('/operator/providers');
  const section = page.getByRole('region', { name: 'Shared' });
  const dialog = page.getByRole('dialog', { name: 'Edit Shared' });
  await section.getByRole('button', { name: 'Edit Shared' }).last().click();
  await expect(dialog.getByLabel('Price in submissions')).toHaveValue('1');
  await change({ submissions_per_row: 2, version: model.version });
  await dialog.getByLabel('Label').fill('Shared, large');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Show the current version' }).click();
  await expect(dialog.getByLabel('Price in submissions')).toHaveValue('2');
  await expect(dialog.getByLabel('Label')).toHaveValue('Shared');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const own = { id: model.provider_id, version: 1, name: 'Shared', kind: 'openai', key };
  const provider = { ...own, address: 'http://127.0.0.1:9/v1', is_enabled: true };
  await section.getByRole('button', { name: 'Edit Shared' }).first().click();
  await expect(dialog.getByLabel('Calls at once')).toHaveValue('8');
  await post(page, 'saveProvider', { ...provider, concurrency: 9 });
  await dialog.getByLabel('Calls at once').fill('7');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Show the current version' }).click();
  await expect(dialog.getByLabel('Calls at once')).toHaveValue('9');
  await dialog.getByLabel('Calls at once').fill('7');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(section.getByText('7 calls at once')).toBeVisible();
});

test('lets a batch that its provider refused go on after a test that works', async ({
  page,
  openPage,
}) => {
  await using fake = await startFakeChat({ key });
  await startSession(page, 'operator@demo.test');
  const save = await offerModel(page, fake.url, 'Refusing');
  await save({ submissions_per_row: 1 });
  await page.goto('/operator/providers');
  const refusing = page.getByRole('region', { name: 'Refusing' });
  await expect(refusing.getByText('1 per row')).toBeVisible();
  fake.behave({ status: 402 });
  const client = await openPage();
  await describeSample(client, 'Refusing, 1 per row');
  await button(client, 'Run 12 rows').click();
  await expect(client.getByText('Then it resumes automatically.')).toBeVisible();
  await expectAccessibleAt(client);
  // The page of providers was left with an older answer.
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await page.getByRole('link', { name: /^1 batch is paused because/ }).click();
  await expect(refusing.getByText('1 batch is paused: this provider')).toBeVisible();
  const colleague = await openPage();
  await colleague.clock.install();
  await signIn(colleague, 'operator@demo.test', '/operator/providers');
  const paused = colleague.getByText('1 batch is paused: this provider');
  await expect(paused).toBeVisible();
  await expect(refusing.getByText('Reason: The provider asks for payment')).toBeVisible();
  await refusing.getByRole('button', { name: 'Test' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByText('The provider asks for payment')).toBeVisible();
  fake.behave({ status: null });
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByText('It works. 1 paused batch resumes.')).toBeVisible();
  await expect(client.getByText('12 of 12 rows answered')).toBeVisible();
  await colleague.clock.fastForward('00:15');
  await expect(paused).toHaveCount(0);
  await page.reload();
  await expect(refusing.getByText('1 batch is paused')).toHaveCount(0);
});

test('refuses a start whose price has risen since its quote, and shows the new one', async ({
  page,
  openPage,
}) => {
  await using fake = await startFakeChat({ key });
  await startSession(page, 'operator@demo.test');
  const save = await offerModel(page, fake.url, 'Dearer');
  const { model } = await save({ submissions_per_row: 1 });
  const client = await openPage();
  await describeSample(client, 'Dearer, 1 per row');
  await expect(figure(client, 'Submissions needed')).toHaveText('12');
  await save({ submissions_per_row: 3, version: model.version });
  await button(client, 'Run 12 rows').click();
  const notice = /^This now needs 36 submissions, not 12\. Nothing was charged/;
  await expect(step(client, 'Cost and start').getByText(notice)).toBeVisible();
  // Announced once, by the toast.
  await expect(client.getByRole('main').getByRole('alert')).toHaveCount(0);
  await expect(figure(client, 'Submissions needed')).toHaveText('36');
  await button(client, 'Run 12 rows').click();
  await expect(client).toHaveURL(/\/history\/[^/]+$/);
  await expect(client.getByText('36 charged')).toBeVisible();
});

test('refuses a prompt and rows to try whose price has risen since it was shown', async ({
  page,
  openPage,
}) => {
  await using fake = await startFakeChat({ key });
  await startSession(page, 'operator@demo.test');
  const offer = await offerModel(page, fake.url, 'Rising');
  const save = (more: object) => offer({ price_tokens: 100, answer_tokens: 40, ...more });
  const first = await save({ submissions_per_row: 1 });
  const client = await openPage();
  await signIn(client, 'client@demo.test', '/ask');
  const choose = (label: string) =>
    client.getByLabel('Model, price in submissions').selectOption({ label });
  const notice = (text: string) => client.getByRole('main').getByText(text);
  await client.getByRole('link', { name: 'One question' }).click();
  await client.getByLabel('Your question').fill('Describe a kettle.');
  await choose('Rising, 1 per 100 tokens');
  await expect(client.getByText('Costs 2 submissions at most')).toBeVisible();
  const second = await save({ submissions_per_row: 3, version: first.model.version });
  await button(client, 'Ask').click();
  await expect(notice('This now needs 6 submissions, not 2.')).toBeVisible();
  await expect(client.getByText('Costs 6 submissions at most')).toBeVisible();
  await button(client, 'Ask').click();
  await expect(client.getByRole('heading', { name: 'Answer' })).toBeVisible();

  await client.getByRole('link', { name: 'A whole sheet' }).click();
  await chooseSample(client);
  await prompt(client).fill('Describe {{Name}}.');
  await expect(figure(client, 'Submissions reserved')).toHaveText('72');
  // The price rises after the press: before it, the page may have asked for another quote.
  let isRaised = false;
  await intercept(client, `**${askChatGpt.path}`, async (route) => {
    if (route.request().postDataJSON().query.preview && !isRaised) {
      isRaised = true;
      await save({ submissions_per_row: 4, version: second.model.version });
    }
    await route.continue();
  });
  await button(client, 'Try 2 rows').click();
  await expect(notice('This now needs 16 submissions, not 12.')).toBeVisible();
  await expect(figure(client, 'Submissions reserved')).toHaveText('96');
  await button(client, 'Try 2 rows').click();
  await expect(client.getByText('2 of 2 answered.')).toBeVisible();
});
