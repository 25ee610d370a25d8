import { roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { after, day } from '../../src/lib/clock.ts';
import { packPrice, startPaymentServer } from '../support/payment-server.ts';
import { createUser, type TestUser } from '../support/users.ts';

const server = await startPaymentServer();
afterAll(server.eventsProcessed);

let operator: TestUser;
let today: string;
let tomorrow: string;
beforeAll(async () => {
  operator = await createUser(server, { roleId: roles.operator });
  const now = server.clock.now();
  today = now.toISOString().slice(0, 10);
  tomorrow = after(now, day).toISOString().slice(0, 10);
});

const listed = async (from = today, to = tomorrow) => {
  const answer = await server.download('downloadInvoiceList', { from, to }, operator);
  const file = Buffer.from(await answer.arrayBuffer()).toString();
  expect(file).toMatch(/^\ufeffNumber,/);
  const [titles = '', ...lines] = file.slice(1).trimEnd().split('\r\n');
  const names = titles.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, n) => [names[n], cell])),
  );
};
const gross = (rows: Record<string, string>[]) =>
  rows.reduce((sum, { Gross }) => sum + Math.round(Number(Gross) * 100), 0);
const received = async () =>
  (await server.call('getOverview', {}, operator)).body.received.reduce(
    (sum, { amount_minor }) => sum + amount_minor,
    0,
  );
const overview = async () => (await server.call('getOverview', {}, operator)).body;

describe('the list of invoices', () => {
  it('has each invoice and credit note of the period, and sums up to what was received', async () => {
    const person = await createUser(server);
    const address = {
      name: '=1+1',
      line1: '1 Street',
      city: 'Douglas',
      country: 'IM',
      tax_id: 'GB1',
    };
    await server.call('userBillingAddress', { billing_address: address }, person);
    const { order_id, intent } = await server.buyByCard(person);
    server.stripe.intents.refund(intent, 100);
    await server.eventsProcessed();
    const [invoice, note] = await listed();
    expect(invoice).toMatchObject({
      Number: 'INV-000001',
      Date: expect.stringMatching(/^[-0-9]{10}$/),
      Corrects: '',
      Customer: "'=1+1",
      Country: 'IM',
      'Customer tax number': 'GB1',
      Net: '5.00',
      'Tax %': '20',
      Tax: '1.00',
      Gross: '6.00',
      Currency: 'GBP',
      Order: order_id,
    });
    expect(note).toMatchObject({
      Number: 'CN-000001',
      Corrects: 'INV-000001',
      Net: '-0.83',
      Tax: '-0.17',
      Gross: '-1.00',
      Order: order_id,
    });
    expect(await received()).toBe(gross(await listed()));
    expect(await listed('2020-01-01', '2020-12-31')).toEqual([]);
  });

  it('has a credit note of a dispute once it is lost, while its money is missing at once', async () => {
    const before = await received();
    const person = await createUser(server);
    const { intent } = await server.buyByCard(person);
    expect(await received()).toBe(before + packPrice);
    const dispute = server.stripe.intents.dispute(intent);
    await server.eventsProcessed();
    expect(await received()).toBe(before);
    expect(await overview()).toMatchObject({
      disputes: 1,
      disputed: [{ ref: dispute.id, user_id: person.id, amount_minor: packPrice }],
    });
    expect(gross(await listed())).toBe(before + packPrice);
    server.stripe.intents.closeDispute(dispute, 'lost');
    await server.eventsProcessed();
    expect(await received()).toBe(before);
    expect(await overview()).toMatchObject({ disputes: 0, disputed: [] });
    expect(gross(await listed())).toBe(before);
  });

  it('continues over several pages, each invoice once', async () => {
    const { db } = server.app.ctx;
    const { order_id } = await server.buyByCard(await createUser(server));
    await sql`insert into orders (id, user_id, actor_id, type, description, submissions, total_minor, tax_minor, tax_name,
        tax_basis_points, currency, payment_method, payment_status, billing_address, created_at, paid_at)
      select 'bulk-' || n, user_id, actor_id, type, description, 0, total_minor, tax_minor, tax_name,
        tax_basis_points, currency, payment_method, payment_status, billing_address, created_at, '2021-05-31T23:59:59.999Z'
      from orders, generate_series(1, 450) n where id = ${order_id}`.execute(db);
    await sql`insert into order_lines (order_id, position, item_id, name, quantity, count, rate_minor)
      select 'bulk-' || n, position, item_id, name, quantity, count, rate_minor
      from order_lines, generate_series(1, 450) n where order_id = ${order_id}`.execute(db);
    await sql`insert into invoices (series, sequence, number, order_id, issued_at, total_minor, document)
      select series, last + n, 'BULK-' || n, 'bulk-' || n, '2021-05-31T23:59:59.999Z', total_minor, document
      from invoices join invoice_numbers using (series), generate_series(1, 450) n where order_id = ${order_id}`.execute(
      db,
    );
    await sql`update invoice_numbers set last = last + 450 where series = 'INV'`.execute(db);
    const rows = await listed('2021-05-01', '2021-05-31');
    expect(new Set(rows.map(({ Order }) => Order)).size).toBe(450);
    expect(gross(rows)).toBe(450 * packPrice);
    expect(await listed('2021-06-01', '2021-06-30')).toEqual([]);
  });

  it.each([
    ['ends before it starts', { from: '2026-02-02', to: '2026-02-01' }],
    ['is longer than a year', { from: '2025-01-01', to: '2026-01-02' }],
    ['names no day', { from: '2026-02-30', to: '2026-03-01' }],
    ['begins before the calendar', { from: '0000-01-01', to: '0000-01-02' }],
    ['ends after the calendar', { from: '9999-12-31', to: '9999-12-31' }],
  ])('refuses a period that %s', async (_, period) => {
    const { status } = await server.call('downloadInvoiceList', period, operator);
    expect(status).toBe(422);
  });
});
