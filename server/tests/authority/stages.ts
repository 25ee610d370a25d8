import { expect } from 'vitest';
import type { FakeChat } from '../../../fakes/chat/server.ts';
import { type PaymentServer, pack } from '../support/payment-server.ts';
import type { TestUser } from '../support/users.ts';
import { as } from '../support/users.ts';
import { addBelongings } from './callers.ts';

/** What a client must have before a call can do something. */
export type Stage =
  | 'sheet'
  | 'batch'
  | 'running'
  | 'paused'
  | 'failed'
  | 'ordered'
  | 'paid'
  | 'lapsed';

interface Setting {
  server: PaymentServer;
  chat: FakeChat;
  /** Orders for the client. */
  buyer: TestUser;
  client: TestUser;
}

/** Gives the client something at this stage, where it stays until a call changes it. */
export async function prepareStage(
  stage: Stage | undefined,
  { server, chat, buyer, client }: Setting,
) {
  const none = { ...client, sheet: '', batch: '', order: '' };
  if (stage === undefined || stage === 'sheet' || stage === 'batch')
    return { ...none, ...(await addBelongings(server, client, stage)) };
  if (stage === 'failed') return { ...none, batch: await failedBatch(server, client) };
  if (stage === 'running' || stage === 'paused')
    return { ...none, batch: await hangingBatch({ server, chat, client }, stage) };
  return { ...none, order: await order(server, { buyer, client }, stage) };
}

async function start(server: PaymentServer, client: TestUser, prompt: string): Promise<string> {
  const { file } = (await server.upload(`Prompt\n${prompt}\n`, client)).body;
  return (await server.ask({ query: { file: file.id, start: true } }, client)).body.batch?.id ?? '';
}

async function failedBatch(server: PaymentServer, client: TestUser): Promise<string> {
  const id = await start(server, client, '[[status 400]]');
  await expect
    .poll(async () => (await server.call('getBatch', { id }, client)).body.batch)
    .toMatchObject({ failed: 1, held: 0 });
  return id;
}

/** A batch whose only row is never answered. */
async function hangingBatch(
  { server, chat, client }: Omit<Setting, 'buyer'>,
  stage: 'running' | 'paused',
): Promise<string> {
  const prompt = `[[hang]] ${chat.calls.length}`;
  const id = await start(server, client, prompt);
  await expect
    .poll(() => chat.calls.some((call) => call.prompt === prompt && !call.endedAt))
    .toBe(true);
  if (stage === 'paused') await server.call('playOrPause', { id, status: 'pause' }, client);
  return id;
}

/** No webhook reports the payment. Only a lapsed one is known to the product. */
async function order(
  server: PaymentServer,
  { buyer, client }: Pick<Setting, 'buyer' | 'client'>,
  stage: Stage,
): Promise<string> {
  const request = { plan: [{ id: pack, quantity: 1 }], ...as(client) };
  const { order_id, client_secret } = (await server.call('stripeCreditIntent', request, buyer))
    .body;
  const intent = server.stripe.intents.get(client_secret);
  if (stage === 'paid') server.stripe.intents.succeed(intent);
  if (stage === 'lapsed') {
    server.stripe.intents.all.delete(intent.id);
    await server.call('confirmPayment', { order_id }, client);
  }
  return order_id;
}
