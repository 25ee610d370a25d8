import { constants, inflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { InvoiceDocument } from '../../src/db/billing-tables.ts';
import { renderInvoicePdf } from '../../src/domains/billing/invoices/invoice-pdf.ts';
import { remindOfPlanEnds } from '../../src/domains/plans/reminders.ts';
import { day } from '../../src/lib/clock.ts';
import { pack, packPrice, startPaymentServer } from '../support/payment-server.ts';
import { createUser, password, signIn } from '../support/users.ts';

const server = await startPaymentServer({
  OPERATOR_COMPANY: 'Testing & Söhne Limited',
  OPERATOR_TAX_NUMBER: 'IM 456',
  OPERATOR_PHONE: '',
});
afterAll(server.eventsProcessed);

const invoicesOf = (series: 'INV' | 'CN') =>
  server.app.ctx.db
    .selectFrom('invoices')
    .selectAll()
    .where('series', '=', series)
    .orderBy('sequence')
    .execute();

/** The text of one of our PDFs in page order. */
function wordsIn(pdf: Buffer): string {
  const latin = pdf.toString('latin1');
  const streams = [...latin.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(
    ({ 1: body = '' }) => {
      try {
        // The last byte of a stream may look like a part of the line end after it.
        return inflateSync(Buffer.from(body, 'latin1'), {
          finishFlush: constants.Z_SYNC_FLUSH,
        }).toString('latin1');
      } catch {
        return '';
      }
    },
  );
  const letters = lettersOf(streams.find((stream) => stream.includes('beginbfrange')) ?? '');
  const pieces = [...streams.join('\n').matchAll(/\[(.*?)\] TJ/g)].map(({ 1: shown = '' }) =>
    [...shown.matchAll(/<([0-9a-f]+)>/g)]
      .map(({ 1: glyphs = '' }) => read(glyphs, letters))
      .join(''),
  );
  return pieces.join('\n');
}

/** The font's table from glyphs to letters. */
function lettersOf(map: string): Map<number, string> {
  const letters = new Map<number, string>();
  for (const { 1: first = '', 2: list = '' } of map.matchAll(
    /<([0-9a-f]+)> <[0-9a-f]+> \[(.*?)\]/g,
  )) {
    for (const [index, { 1: hex = '' }] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      letters.set(
        Number.parseInt(first, 16) + index,
        Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
      );
    }
  }
  return letters;
}

const read = (glyphs: string, letters: Map<number, string>) =>
  [...glyphs.matchAll(/[0-9a-f]{4}/g)]
    .map(([glyph]) => letters.get(Number.parseInt(glyph, 16)) ?? '?')
    .join('');

describe('an invoice', () => {
  it('is numbered without gaps when many pay at once and some payments do not match', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => createUser(server)));
    await Promise.all(
      people.map(async (person, index) => {
        const { order_id, client_secret } = await server.orderByCard(person);
        const intent = server.stripe.intents.get(client_secret);
        server.stripe.intents.succeed(intent, index % 4 === 0 ? 1 : undefined);
        await server.call('confirmPayment', { order_id }, person);
      }),
    );
    await server.eventsProcessed();
    const numbers = (await invoicesOf('INV')).map(({ number }) => number);
    expect(numbers).toEqual(
      Array.from({ length: 9 }, (_, index) => `INV-${String(index + 1).padStart(6, '0')}`),
    );
  });

  it('names company, customer, lines and tax and stays the same when all of them change', async () => {
    const person = await createUser(server);
    const billing_address = {
      name: 'Ellan Vannin',
      line1: '1 Quay Street',
      city: 'Peel',
      postcode: 'IM5 1AB',
      country: 'IM',
      tax_id: 'GB 123',
    };
    const request = { plan: [{ id: pack, quantity: 3 }], profile: { billing_address } };
    const { order_id, client_secret } = (await server.call('stripeCreditIntent', request, person))
      .body;
    server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    await server.call('confirmPayment', { order_id }, person);
    const first = await server.download('getInvoice', { orderId: order_id }, person);
    expect(first.headers.get('content-type')).toBe('application/pdf');
    expect(first.headers.get('content-disposition')).toMatch(/INV-\d{6}\.pdf/);
    const pdf = Buffer.from(await first.arrayBuffer());
    const words = wordsIn(pdf);
    for (const part of [
      'Invoice INV-',
      'Testing & Söhne Limited',
      'Tax number IM 456',
      'Ellan Vannin',
      'IM5 1AB Peel',
      'Isle of Man',
      'GB 123',
      '500 submissions',
    ])
      expect(words).toContain(part);
    for (const part of ['GBP 6.00', 'GBP 15.00', 'VAT 20%', 'GBP 3.00', 'GBP 18.00'])
      expect(words).toContain(part);
    expect(words).not.toMatch(/0808|undefined/);
    await server.call('userBillingAddress', { billing_address: { name: 'Somebody else' } }, person);
    await server.call(
      'verifyAndUpdateUserDetails',
      { first_name: 'New', last_name: 'Name' },
      person,
    );
    const later = Buffer.from(
      await (await server.download('getInvoice', { orderId: order_id }, person)).arrayBuffer(),
    );
    expect(wordsIn(later)).toBe(words);
    const details = (await server.call('getOrderDetails', { orderId: order_id }, person)).body;
    expect(details).toMatchObject({
      tax_minor: 300,
      tax_name: 'VAT',
      tax_percent: 20,
      billing_address,
      lines: [
        {
          name: '500 submissions',
          quantity: 3,
          count: 500,
          rate_minor: packPrice,
          total_minor: 3 * packPrice,
        },
      ],
      invoice_url: `/api/invoices/${order_id}`,
    });
  });

  it.each([
    ['Łukasz Żółć', 'ul. Święty Marcin 5', 'Łódź', 'PL'],
    ['Jiří Dvořák', 'Náměstí Míru 3', 'Ústí nad Labem', 'CZ'],
    ['Şükrü Ağaoğlu', 'İstiklâl Caddesi 7', 'Eskişehir', 'TR'],
    ['Γιώργος Παπαδόπουλος', 'Οδός Ερμού 12', 'Θεσσαλονίκη', 'GR'],
    ['Юрій Їжакевич', 'вул. Хрещатик 1', 'Київ', 'UA'],
    ['Nguyễn Thị Ánh', 'Phố Huế 9', 'Hà Nội', 'VN'],
    ['ნინო გელაშვილი', 'რუსთაველის 4', 'თბილისი', 'GE'],
  ])('writes %s and the address in their own script', async (name, line1, city, country) => {
    const person = await createUser(server);
    const request = {
      plan: [{ id: pack, quantity: 1 }],
      profile: { billing_address: { name: name.normalize('NFD'), line1, city, country } },
    };
    const { order_id, client_secret } = (await server.call('stripeCreditIntent', request, person))
      .body;
    server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    await server.call('confirmPayment', { order_id }, person);
    const pdf = Buffer.from(
      await (await server.download('getInvoice', { orderId: order_id }, person)).arrayBuffer(),
    );
    const words = wordsIn(pdf);
    for (const part of [name, line1, city]) expect(words).toContain(part);
    expect(pdf.length).toBeLessThan(100_000);
  });

  it('without a tax does not mention one, also from a version without tax numbers', async () => {
    const [invoice] = await invoicesOf('INV');
    if (!invoice) throw new Error('There is no invoice.');
    const wordsOf = async (document: InvoiceDocument) =>
      wordsIn(await renderInvoicePdf({ ...invoice, orderId: invoice.order_id, document }));
    const { tax_number: _, ...company } = invoice.document.company;
    const tax = { name: 'VAT', percent: 0, minor: 0 };
    expect(await wordsOf(invoice.document)).toMatch(/Tax number IM 456.*All prices include VAT/s);
    expect(await wordsOf({ ...invoice.document, company, tax })).not.toMatch(
      /IM 456|prices include|undefined/,
    );
  });

  it('keeps each of its lines on one page, and names itself on the second', async () => {
    const [invoice] = await invoicesOf('INV');
    const line = invoice?.document.lines[0];
    if (!line) throw new Error('There is no invoice.');
    const long = { ...line, name: 'W'.repeat(60) };
    const pagesWith = async (count: number) => {
      const lines = [...Array.from({ length: count }, () => line), long];
      const document = { ...invoice.document, lines };
      const pdf = await renderInvoicePdf({ ...invoice, orderId: invoice.order_id, document });
      const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;
      expect(wordsIn(pdf).includes(`Invoice ${invoice.number}, page 2`)).toBe(pages === 2);
      return pages;
    };
    // The long one is at each place around the end of the first page.
    const pages: unknown[] = [];
    for (let count = 22; count <= 34; count++) pages.push(await pagesWith(count));
    expect(new Set(pages)).toEqual(new Set([1, 2]));
  });

  it('does not exist before the payment', async () => {
    const person = await createUser(server);
    const { order_id } = await server.orderByCard(person);
    expect((await server.download('getInvoice', { orderId: order_id }, person)).status).toBe(404);
  });

  it('cannot be changed or deleted even in the database', async () => {
    const { db } = server.app.ctx;
    await expect(db.updateTable('invoices').set({ total_minor: 1 }).execute()).rejects.toThrow(
      'append-only',
    );
    await expect(db.deleteFrom('invoices').execute()).rejects.toThrow('append-only');
  });

  it('is announced by an email with a link', async () => {
    const person = await createUser(server);
    const { order_id } = await server.buyByCard(person);
    const mail = await server.emailTo(person.email, 'Your invoice INV-');
    expect(mail.text).toContain(`/orders?order=${order_id}`);
    expect(mail.text).toContain('£6.00');
  });
});

describe('a credit note', () => {
  it('follows each refund with an email, and together they never exceed the invoice', async () => {
    const person = await createUser(server);
    const { order_id, intent } = await server.buyByCard(person);
    server.stripe.intents.refund(intent, 200);
    await server.eventsProcessed();
    server.stripe.intents.closeDispute(server.stripe.intents.dispute(intent, 600), 'lost');
    await server.eventsProcessed();
    const { credit_notes, order } = (
      await server.call('getOrderDetails', { orderId: order_id }, person)
    ).body;
    expect(credit_notes.map(({ total_minor }) => total_minor).toSorted()).toEqual([200, 400]);
    expect(order).toMatchObject({ refunded_minor: 600, payment_status: 'refunded' });
    const wanted = { orderId: order_id, credit_note: credit_notes[0]?.number ?? '' };
    const response = await fetch(`${server.app.url}${credit_notes[0]?.url}`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    const words = wordsIn(Buffer.from(await response.arrayBuffer()));
    expect(words).toContain(`Credit note ${wanted.credit_note}`);
    expect(words).toContain('Corrects invoice INV-');
    expect((await server.emailTo(person.email, 'Your credit note')).text).toContain('was returned');
  });

  it('names the customer of its invoice, and the notes of a full refund have its tax', async () => {
    const person = await createUser(server);
    const { order_id, intent } = await server.buyByCard(person);
    const deletion = { current_password: password };
    expect(await server.call('deleteUserAccount', deletion, person)).toMatchObject({ status: 200 });
    for (const _ of [1, 2, 3]) {
      server.stripe.intents.refund(intent, 200);
      await server.eventsProcessed();
    }
    const documents = await server.app.ctx.db
      .selectFrom('invoices')
      .select(['series', 'document'])
      .where('order_id', '=', order_id)
      .orderBy('sequence')
      .execute();
    const [invoice, ...notes] = documents.toSorted((one) => (one.series === 'INV' ? -1 : 1));
    expect(notes).toHaveLength(3);
    for (const { document } of notes) expect(document.customer).toEqual(invoice?.document.customer);
    expect(invoice?.document.customer.email).toBe(person.email);
    expect(notes.reduce((sum, { document }) => sum + document.tax.minor, 0)).toBe(
      invoice?.document.tax.minor,
    );
  });
});

describe('the lists', () => {
  it('of orders and payments are sorted newest first, with pages and search', async () => {
    const person = await createUser(server);
    await server.buyByCard(person);
    await server.buyByCard(person, 4);
    await server.orderByCard(person, 2);
    const all = (await server.call('getOrders', {}, person)).body;
    expect(all.total).toBe(3);
    expect(
      all.orders.map(({ submissions, payment_status, can_resume }) => [
        submissions,
        payment_status,
        can_resume,
      ]),
    ).toEqual([
      [1000, 'pending', true],
      [2000, 'paid', false],
      [500, 'paid', false],
    ]);
    const page = (await server.call('getOrders', { start: 1, limit: 1 }, person)).body;
    expect([page.total, page.orders.length, page.orders[0]?.submissions]).toEqual([3, 1, 2000]);
    const number = all.orders[1]?.number ?? '';
    expect(
      (await server.call('getOrders', { search: number }, person)).body.orders.map(
        (order) => order.number,
      ),
    ).toEqual([number]);
    for (const search of ['%', '_', '\\', "';--"])
      expect((await server.call('getOrders', { search }, person)).body.total).toBe(0);
    expect((await server.call('getPayments', { search: 'paid' }, person)).body.total).toBe(2);
  });
});

describe('a plan that ends', () => {
  it('is announced once a week before, by the name it was bought with, unless the next is bought', async () => {
    const [one, two] = [await createUser(server), await createUser(server)];
    const buy = async (person: typeof one) => {
      const { order_id, client_secret } = (
        await server.call('stripeIntent', { plan: { id: 'month' } }, person)
      ).body;
      server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
      await server.call('setPlan', { id: 'month', order_id }, person);
    };
    await buy(one);
    await buy(two);
    const reminded: string[] = [];
    const look = () =>
      remindOfPlanEnds({
        ...server.app.ctx,
        enqueue: async (db, ...jobs) => {
          for (const { payload } of jobs) reminded.push((payload as { userId: string }).userId);
          await server.app.ctx.enqueue(db, ...jobs);
        },
      });
    await look();
    expect(reminded).toEqual([]);
    server.clock.advance(23 * day + 60_000);
    const { db } = server.app.ctx;
    const rename = (name: string) =>
      db.updateTable('plans').set({ name }).where('id', '=', 'month').execute();
    await buy({ ...two, token: await signIn(server, two.email) });
    await rename('Four weeks');
    await look();
    await look();
    expect(reminded).toEqual([one.id]);
    const mail = await server.emailTo(one.email, 'Your plan Month ends on');
    expect(mail.text).toContain('does not renew');
    await rename('Month');
  });
});
