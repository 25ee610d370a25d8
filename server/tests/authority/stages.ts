import { expect } from 'vitest';
import type { FakeChat } from '../../../fakes/chat/server.ts';
import { as } from '../support/cast.ts';
import type { Person } from '../support/people.ts';
import { pack, type Shop } from '../support/shop.ts';
import { endow } from './callers.ts';

/** How far something of the client's must be, so that a call about it has something to do. */
export type Stage =
  | 'sheet'
  | 'batch'
  | 'running'
  | 'paused'
  | 'failed'
  | 'ordered'
  | 'paid'
  | 'given up';

interface Scene {
  shop: Shop;
  chat: FakeChat;
  /** Who orders for the client. */
  buyer: Person;
  client: Person;
}

/** The client with one thing of this stage, which then stays as it is until somebody asks for something. */
export async function bringTo(stage: Stage | undefined, { shop, chat, buyer, client }: Scene) {
  const none = { ...client, sheet: '', batch: '', order: '' };
  if (stage === undefined || stage === 'sheet' || stage === 'batch')
    return { ...none, ...(await endow(shop, client, stage)) };
  if (stage === 'failed') return { ...none, batch: await failedBatch(shop, client) };
  if (stage === 'running' || stage === 'paused')
    return { ...none, batch: await hangingBatch({ shop, chat, client }, stage) };
  return { ...none, order: await order(shop, { buyer, client }, stage) };
}

async function start(shop: Shop, client: Person, prompt: string): Promise<string> {
  const { file } = (await shop.upload(`Prompt\n${prompt}\n`, client)).body;
  return (
    (await shop.call('askChatGpt', { query: { file: file.id, start: true } }, client)).body.batch
      ?.id ?? ''
  );
}

async function failedBatch(shop: Shop, client: Person): Promise<string> {
  const id = await start(shop, client, '[[status 400]]');
  await expect
    .poll(async () => (await shop.call('getBatch', { id }, client)).body.batch, { timeout: 60_000 })
    .toMatchObject({
      failed: 1,
      held: 0,
    });
  return id;
}

/** Its only row is never answered. */
async function hangingBatch(
  { shop, chat, client }: Omit<Scene, 'buyer'>,
  stage: 'running' | 'paused',
): Promise<string> {
  const prompt = `[[hang]] ${chat.calls.length}`;
  const id = await start(shop, client, prompt);
  await expect
    .poll(() => chat.calls.some((call) => call.prompt === prompt && !call.endedAt), {
      timeout: 60_000,
    })
    .toBe(true);
  if (stage === 'paused') await shop.call('playOrPause', { id, status: 'pause' }, client);
  return id;
}

/** What becomes of its payment at the provider, no event tells; that it is given up is known. */
async function order(
  shop: Shop,
  { buyer, client }: Pick<Scene, 'buyer' | 'client'>,
  stage: Stage,
): Promise<string> {
  const request = { plan: [{ id: pack, quantity: 1 }], ...as(client) };
  const { order_id, client_secret } = (await shop.call('stripeCreditIntent', request, buyer)).body;
  const intent = shop.stripe.intents.get(client_secret);
  if (stage === 'paid') shop.stripe.intents.succeed(intent);
  if (stage === 'given up') {
    shop.stripe.intents.all.delete(intent.id);
    await shop.call('confirmPayment', { order_id }, client);
  }
  return order_id;
}
