import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { roles } from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/core/context.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { deleteOwnBatch } from '../../src/domains/batches/lifecycle/delete.ts';
import { startBatch } from '../../src/domains/batches/lifecycle/start.ts';
import { planBatch } from '../../src/domains/batches/quote/plan.ts';
import { previewRows } from '../../src/domains/batches/quote/preview.ts';
import { downloadResults } from '../../src/domains/batches/results/download.ts';
import { storeResults } from '../../src/domains/batches/results/store-results.ts';
import { readOrSaveBillingAddress } from '../../src/domains/billing/billing-address.ts';
import { createCreditIntent } from '../../src/domains/billing/orders/create-order.ts';
import { lockOrder } from '../../src/domains/billing/store/orders.ts';
import { lockBalance } from '../../src/domains/credits/ledger.ts';
import { reviseSheet } from '../../src/domains/files/revisions.ts';
import { openOriginal } from '../../src/domains/files/sheets.ts';
import { storeSheet } from '../../src/domains/files/uploads.ts';
import { updateProfile } from '../../src/domains/identity/accounts/profile.ts';
import { askSinglePrompt } from '../../src/domains/prompts/single-prompts.ts';
import { upsertVariable } from '../../src/domains/prompts/variables.ts';
import { BatchClient } from '../support/batches.ts';
import { isPostgres } from '../support/databases.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startPaymentServer } from '../support/payment-server.ts';
import { whenBlocked } from '../support/statements.ts';
import { storedFiles } from '../support/stored-files.ts';
import {
  actingOf,
  actorOf,
  as,
  createUser,
  newEmail,
  password,
  type TestUser,
} from '../support/users.ts';
import { until } from '../support/waiting.ts';

const server = await startPaymentServer({ LOG_LEVEL: 'silent', CHAT_BASE_URL: 'demo' });
const { ctx } = server.app;

const notFound = { code: 'not_found' };

async function endedBatch() {
  const client = await BatchClient.create(server, 100);
  const { id } = await client.start(['one', 'two']);
  return { client, batch: await client.whenEnded(id) };
}

describe('a batch that is deleted', () => {
  it.runIf(isPostgres)(
    'gets none of the results that are stored just then, but their cost',
    async () => {
      const { client, batch } = await endedBatch();
      const [deleted, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const deleting = inTransaction(ctx, async (ctx) => {
        await deleteOwnBatch(ctx, actingOf(client.user), { id: batch.id });
        deleted.resolve();
        await end.promise;
      });
      await deleted.promise;
      const call = { input_tokens: 12, output_tokens: 3, cost: 4 };
      const result = { row: 0, state: 'failed' as const, answer: 'none', problem: 'none', ...call };
      const storing = storeResults(ctx, { batchId: batch.id, results: [result] });
      await whenBlocked(ctx);
      end.resolve();
      await Promise.all([deleting, storing]);
      const stored = ctx.db.selectFrom('results').selectAll().where('batch_id', '=', batch.id);
      await until(async () => (await stored.execute()).length === 0);
      const paid = ctx.db.selectFrom('batches').select(['input_tokens', 'output_tokens', 'cost']);
      expect(await paid.where('id', '=', batch.id).executeTakeFirst()).toEqual({
        ...call,
        cost: '4',
      });
      await expectLedgerChecksToPass(server);
    },
  );

  it.each(['csv', 'jsonl', 'unchanged'] as const)(
    'cuts its download as %s, which would look complete without answers',
    async (kind) => {
      const { client, batch } = await endedBatch();
      // The other batch keeps the sheet.
      const query = { file: batch.sheet_id, limit: 1, start: true };
      await server.ask({ question: 'Another', query }, client.user);
      const request = {
        ...{ file: batch.id, bom: false, marks: false, judgements: false, tokens: false },
        ...(kind === 'unchanged'
          ? { format: 'csv' as const, unchanged: true }
          : { format: kind, unchanged: false }),
      };
      const answer = await downloadResults(ctx, actingOf(client.user), request);
      await server.call('deleteBatch', { id: batch.id }, client.user);
      await expect(text(answer.content as NodeJS.ReadableStream)).rejects.toMatchObject(notFound);
    },
  );
});

describe('a sheet that is deleted or revised', () => {
  const isGone = (id: string) => until(() => !storedFiles(server).includes(id));

  it.each([
    ['before', (sheet: SheetInUse) => deletingFirst(sheet)],
    ['after', (sheet: SheetInUse) => deletingLast(sheet)],
  ])(
    'gets no text back when it is deleted %s it is read in another way',
    async (_when, deleting) => {
      const user = await createUser(server);
      const { id } = (await server.upload('Name,Price\nTeapot,3\n', user)).body.file;
      const importer = deleting({ id, user });
      const revising = reviseSheet({ ...ctx, importer }, actingOf(user), { id, header: false });
      await expect(revising).rejects.toMatchObject(notFound);
      const sheet = ctx.db.selectFrom('sheets').select(['columns', 'sample']).where('id', '=', id);
      expect(await sheet.executeTakeFirst()).toEqual({ columns: [], sample: [] });
      await isGone(id);
    },
  );

  it('keeps the rows of one of two revisions at once, and refuses the other', async () => {
    const user = await createUser(server);
    const acting = actingOf(user);
    const { id } = (await server.upload('Name,Price\nTeapot,3\n', user)).body.file;
    const revise = (ctx: Context, header: boolean) => reviseSheet(ctx, acting, { id, header });
    const store = async (path: string, key: string) => {
      await ctx.files.store(path, key);
      await revise(ctx, false);
    };
    const late = { ...ctx, files: { ...ctx.files, store } };
    await expect(revise(late, true)).rejects.toMatchObject({ code: 'busy' });
    const { body } = await server.call('getFile', { id }, user);
    expect(body.rows).toEqual([
      ['Name', 'Price'],
      ['Teapot', '3'],
    ]);
    await revise(ctx, true);
    expect((await server.call('getFile', { id }, user)).body.rows).toEqual([['Teapot', '3']]);
  });

  it.each(['start', 'preview'] as const)(
    'takes no %s of prompts that were planned for its earlier columns',
    async (what) => {
      const user = await createUser(server, { submissions: 5 });
      const { id } = (await server.upload('Name,Price\nTeapot,3\n', user)).body.file;
      const query = { file: id };
      const asked = { questionWithVariable: 'Describe {{Name}}.', query };
      const plan = await planBatch(ctx, actingOf(user), asked);
      await server.call('reviseFile', { id, header: false }, user);
      const carryOut =
        what === 'start'
          ? startBatch(ctx, actingOf(user), plan, query)
          : previewRows(ctx, actingOf(user), plan, { count: 1, rows: undefined, query });
      await expect(carryOut).rejects.toMatchObject({ code: 'not_now' });
      expect(await server.balance(user)).toBe(5);
      const { total } = (await server.call('getProcessedFiles', {}, user)).body;
      expect(total).toBe(0);
    },
  );

  it('is not found when its file is gone as it is opened', async () => {
    const { client, batch } = await endedBatch();
    const { sheet_id: id } = batch;
    const open = async (key: string) => {
      await server.call('deleteBatch', { id: batch.id }, client.user);
      await isGone(id);
      return ctx.files.open(key);
    };
    const late: Context = { ...ctx, files: { ...ctx.files, open } };
    const acting = actingOf(client.user);
    const request = { file: batch.id, format: 'csv', unchanged: true } as never;
    await expect(downloadResults(late, acting, request)).rejects.toMatchObject(notFound);
    const other = (await server.upload('Name\nTeapot\n', client.user)).body.file.id;
    const openLate = async (key: string) => {
      await server.call('deleteFile', { id: other }, client.user);
      await isGone(other);
      return ctx.files.open(key);
    };
    const original = openOriginal({ ...ctx, files: { ...ctx.files, open: openLate } }, acting, {
      id: other,
    } as never);
    await expect(original).rejects.toMatchObject(notFound);
  });

  interface SheetInUse {
    id: string;
    user: TestUser;
  }
  type Import = Context['importer']['import'];
  const importing = (read: Import) => ({ import: read }) as Context['importer'];
  const remove = async ({ id, user }: SheetInUse) => {
    await server.call('deleteFile', { id }, user);
    await isGone(id);
  };
  const deletingFirst = (sheet: SheetInUse) =>
    importing(async (...given) => {
      await remove(sheet);
      return ctx.importer.import(...given);
    });
  const deletingLast = (sheet: SheetInUse) =>
    importing(async (...given) => {
      const read = await ctx.importer.import(...given);
      await remove(sheet);
      return read;
    });
});

describe('an account that is deleted', () => {
  const deleteAccount = (person: TestUser) =>
    server.call('deleteUserAccount', { current_password: password }, person);
  const late: [string, (person: TestUser) => Promise<unknown>][] = [
    ['an uploaded sheet', (person) => storeSheet(ctx, actingOf(person), uploadOf('Text\none\n'))],
    [
      'a single prompt',
      (person) => askSinglePrompt(ctx, actingOf(person), { question: 'Why?', query: {} }),
    ],
    [
      'a variable',
      (person) =>
        upsertVariable(ctx, actingOf(person), { variable: { name: 'tone', value: 'kind' } }),
    ],
    [
      'a billing address',
      (person) =>
        readOrSaveBillingAddress(ctx, actingOf(person), { billing_address: { name: 'Pat' } }),
    ],
    [
      'an order',
      (person) =>
        createCreditIntent(ctx, actingOf(person), {
          plan: [{ id: 'pack-500', quantity: 1 }],
          profile: { billing_address: { name: 'Pat' } },
        } as never),
    ],
    ['a name', (person) => updateProfile(ctx, actorOf(person), { first_name: 'Pat' })],
  ];

  it.each(late)('gets %s from no request that was under way', async (what, store) => {
    const person = await createUser(server, { submissions: 5 });
    expect((await deleteAccount(person)).status).toBe(200);
    const files = storedFiles(server).length;
    const code = what === 'a name' ? 'not_signed_in' : 'not_found';
    await expect(store(person)).rejects.toMatchObject({ code });
    for (const table of ['sheets', 'single_prompts', 'variables', 'billing_addresses', 'orders']) {
      const rows = ctx.db.selectFrom(table as 'sheets').select('user_id');
      expect(await rows.where('user_id', '=', person.id).execute()).toEqual([]);
    }
    expect(storedFiles(server)).toHaveLength(files);
  });

  it.runIf(isPostgres)(
    'waits for a payment of the invited client, and returns the gift',
    async () => {
      const admin = await createUser(server, { roleId: roles.admin, submissions: 5 });
      const person = { first_name: 'Cleo', last_name: 'Client', email: newEmail(), credits: 5 };
      const { id } = (await server.call('addClient', person, admin)).body.client;
      const bought = { plan: [{ id: 'pack-500', quantity: 1 }], ...as({ id }) };
      const { order_id } = (await server.call('stripeCreditIntent', bought, admin)).body;
      const withdrawn = await inTransaction(ctx, async (ctx) => {
        await lockOrder(ctx.db, order_id);
        const withdrawing = server.call('withdrawInvitation', { user_id: id }, admin);
        await whenBlocked(server.app.ctx);
        await lockBalance(ctx, id);
        return { withdrawing };
      });
      expect((await withdrawn.withdrawing).status).toBe(200);
      expect(await server.balance(admin)).toBe(5);
    },
  );

  function uploadOf(csv: string) {
    const path = ctx.files.temporaryPath();
    writeFileSync(path, csv);
    return { upload: { path, name: 'a.csv', bytes: csv.length, digest: '', metadata: {} } };
  }
});
