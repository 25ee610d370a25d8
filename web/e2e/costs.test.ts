import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { startFakeChat } from '../../fakes/chat/server.ts';
import { openCompleted } from './support/batches.ts';
import { post } from './support/calls.ts';
import { testOnStage } from './support/fixtures.ts';
import { colourOf, expectAccessibleAt } from './support/screens.ts';
import { orderPack, payWith } from './support/shopping.ts';
import { signIn } from './support/sign-in.ts';

const test = testOnStage();
const titles = ['answers', 'submissions', 'input_tokens', 'output_tokens'] as const;

test('shows costs and margins by day, model and client, and saves what it shows', async ({
  page,
  openPage,
}) => {
  await using fake = await startFakeChat();
  await signIn(page, 'operator@demo.test', '/operator?view=costs');
  await expect(page.getByText('No answers in this time.')).toBeVisible();
  await expectAccessibleAt(page);
  const { provider } = await post(page, 'saveProvider', {
    ...{ name: 'Acme', kind: 'openai', address: fake.url, concurrency: 8, is_enabled: true },
  });
  const model = (label: string, cost: number | null) => ({
    ...{ name: label, label, provider_id: provider.id, asked_as: 'fake-small' },
    ...{ submissions_per_row: 1, input_cost: cost, cached_cost: null, output_cost: cost },
    ...{ options: [], offered_to: 'everyone', fallback: null, position: 1 },
  });
  // A thousand pounds for a million tokens is more than a submission brings in.
  await post(page, 'saveModel', model('Dear, “very”', 1_000_000_000));
  await post(page, 'saveModel', model('Cheap', 20_000_000));
  await post(page, 'saveModel', model('Unknown', null));
  await post(page, 'saveModel', model('Tiny', 1_000_000));

  const client = await openPage();
  await signIn(client, 'client@demo.test', '/credits');
  const run = async (model: string, rows: string[]) => {
    const sheet = { name: 'sheet.csv', text: `Row\n${rows.join('\n')}\n` };
    await openCompleted(client, { ...sheet, question: 'Describe {{Row}}.', model });
  };
  await run('Tiny', ['a dot']);
  await page.reload();
  const unknownRevenue = page.getByText('no submissions were sold in GBP in the last year');
  await expect(unknownRevenue).toBeVisible();
  await client.goto('/credits');
  await orderPack(client, '500 submissions');
  await payWith(client, 'is paid');
  await expect(client.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await run('Dear, “very”', ['a long kettle of copper', 'a pot', 'a pan', 'a jug']);
  await run('Cheap', ['a cup', 'a mug [[uncounted]]']);

  for (const by of ['Day', 'Model', 'Client']) {
    await page.goto(`/operator?view=costs&by=${by.toLowerCase()}`);
    await expectAccessibleAt(page);
    await expectSameInFile(page);
  }
  await page.getByRole('link', { name: 'Clara Quayle' }).click();
  await expect(page.getByRole('heading', { name: 'Clara Quayle' })).toBeVisible();
  await page.goto('/operator?view=costs&by=model');
  await expect(unknownRevenue).toHaveCount(0);
  const row = (name: string) => page.getByRole('row', { name });
  const loss = row('Dear').getByText(/^-£/);
  await expect(loss).toHaveCSS('color', await colourOf(page, '--red'));
  await expect(row('Cheap').getByText('At least £0.00')).toBeVisible();
  await expect(row('Cheap').getByText('At most £')).not.toHaveCSS(
    'color',
    await colourOf(page, '--red'),
  );
  await expect(row('Tiny').getByText('Under £0.01', { exact: true })).toBeVisible();
  await expect(page.getByText('The cost of 1 row or prompt is unknown')).toBeVisible();

  await run('Unknown', ['a bowl']);
  await page.reload();
  await expect(row('Unknown').getByText('Unknown', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('The cost of 2 rows or prompts is unknown')).toBeVisible();
  await expectSameInFile(page);

  const { pricing } = await post(page, 'getCatalogue', {});
  await post(page, 'savePricing', { ...pricing, currency: 'USD' });
  await page.reload();
  // No submission was sold in this currency yet.
  await expect(row('Dear').getByText('$')).toHaveCount(1);
  await expectSameInFile(page, '$');
  await orderPack(client, '500 submissions');
  await payWith(client, 'is paid');
  await client.getByRole('link', { name: 'See the invoice' }).click();
  // The list of orders has other currencies.
  const invoice = client.getByRole('dialog');
  await expect(invoice.getByText('$6.00').first()).toBeVisible();
  await expect(invoice.getByText('£')).toHaveCount(0);
  await page.reload();
  await expect(row('Dear').getByText('-$')).toBeVisible();
  await expectSameInFile(page, '$');
  await expect(page.getByText('£')).toHaveCount(0);
  await page.goto('/operator/providers');
  await page.getByRole('button', { name: 'Edit Cheap' }).click();
  await expect(page.getByText('Your cost, USD per million tokens')).toBeVisible();
});

/** The file has a line for each row of the table, and the bars compare their costs. */
async function expectSameInFile(page: Page, sign = '£') {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  // For Excel.
  expect(file).toMatch(/^\ufeff/);
  const lines = parseCsv(file.slice(1));
  const shown = await readTable(page);
  const total = shown.pop();
  expect(lines.length).toBeGreaterThan(0);
  expect(shown.map(({ cells }) => cells)).toEqual(lines.map((line) => cellsOf(line, sign)));
  const sum = (name: string) => lines.reduce((all, line) => all + Number(line[name]), 0);
  const revenue = lines.some((line) => line.revenue === '') ? null : sum('revenue');
  expect(total?.cells).toEqual(
    cellsOf(
      {
        ...Object.fromEntries(titles.map((name) => [name, `${sum(name)}`])),
        ...{ cost: `${sum('cost')}`, unknown_costs: `${sum('unknown_costs')}` },
        ...{
          revenue: `${revenue ?? ''}`,
          margin: `${revenue === null ? '' : revenue - sum('cost')}`,
        },
      },
      sign,
    ),
  );
  // While a row has no known cost, bars compare tokens.
  const sizes = lines.map((line) =>
    lines.some(({ cost }) => cost === '')
      ? Number(line.input_tokens) + Number(line.output_tokens)
      : Number(line.cost),
  );
  // One row has nothing to compare.
  const percent = sizes.length > 1 ? 100 / Math.max(...sizes) : 0;
  for (const [number, size] of sizes.entries())
    expect(shown[number]?.bar).toBeCloseTo(size * percent, 1);
}

/** As the page shows a line, with bounds when the cost of an answer is unknown. */
function cellsOf(line: Record<string, string>, sign: string): string[] {
  const isUnknown = Number(line.unknown_costs) > 0;
  const money = (text = '', bound = '') => {
    if (text === '') return 'Unknown';
    const amount = Math.round(Number(text) * 100) / 100;
    const isBounded = isUnknown && bound !== '';
    if (Number(text) > 0 && amount === 0 && !isBounded) return `Under ${sign}0.01`;
    return `${isUnknown ? bound : ''}${amount < 0 ? '-' : ''}${sign}${Math.abs(amount).toFixed(2)}`;
  };
  return [
    ...titles.map((name) => Number(line[name]).toLocaleString('en-GB')),
    ...[money(line.cost, 'At least '), money(line.revenue), money(line.margin, 'At most ')],
  ];
}

/** The rows of the table without their names, and how wide their bars are, in percent. */
function readTable(page: Page) {
  return page
    .getByRole('table')
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => ({
        cells: [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim()),
        bar: Number.parseFloat(row.querySelector<HTMLElement>('th span')?.style.width ?? '0'),
      })),
    );
}

function parseCsv(file: string): Record<string, string>[] {
  const [head = '', ...lines] = file.trimEnd().split('\r\n');
  const cellsIn = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    );
  const names = cellsIn(head);
  return lines.map((line) =>
    Object.fromEntries(cellsIn(line).map((cell, column) => [names[column] ?? '', cell])),
  );
}
