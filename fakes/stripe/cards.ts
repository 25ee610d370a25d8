import type { TestCardAnswer } from '@rowmill/contract';
import type { Delivery, WebhookSender } from '../webhook-sender.ts';
import type { EmitEvent, Intent, Intents } from './intents.ts';

/** Delays of the slow cards. */
export interface Delays {
  pendingMilliseconds: number;
  lateMilliseconds: number;
  afterwardsMilliseconds: number;
}

export interface FakeAccount {
  intents: Intents;
  sender: WebhookSender;
  delays: Delays;
  emitWith(delivery: Delivery): EmitEvent;
}

type Card = (account: FakeAccount, intent: Intent) => TestCardAnswer;

const paid: TestCardAnswer = { status: true, outcome: 'paid' };

function declined(
  { intents }: FakeAccount,
  intent: Intent,
  code: string,
  message: string,
): TestCardAnswer {
  intents.decline(intent, code, message);
  return { status: true, outcome: 'declined', message };
}

/** What each card number does to an intent. */
export const cards: Readonly<Record<string, Card>> = {
  '4242424242424242': ({ intents }, intent) => {
    intents.succeed(intent);
    return paid;
  },
  '4000000000000002': (account, intent) =>
    declined(account, intent, 'card_declined', 'Your card was declined.'),
  '4000000000009995': (account, intent) =>
    declined(account, intent, 'insufficient_funds', 'Your card has insufficient funds.'),
  '4000002500003155': ({ intents }, intent) => {
    intents.wait(intent, 'requires_action');
    return { status: true, outcome: 'requires_action' };
  },
  '4000000000000077': ({ intents, sender, delays }, intent) => {
    intents.wait(intent, 'processing');
    sender.later(delays.pendingMilliseconds, () => intents.succeed(intent));
    return { status: true, outcome: 'pending' };
  },
  '4000000000000127': ({ intents, delays, emitWith }, intent) => {
    intents.succeed(
      intent,
      intent.amount,
      emitWith({ afterMilliseconds: delays.lateMilliseconds }),
    );
    return paid;
  },
  '4000000000000119': ({ intents, emitWith }, intent) => {
    intents.succeed(intent, intent.amount, emitWith({ times: 3 }));
    return paid;
  },
  '4000000000000069': ({ intents }, intent) => {
    intents.succeed(intent, intent.amount - 1);
    return paid;
  },
  '4000000000000259': ({ intents, sender, delays }, intent) => {
    intents.succeed(intent);
    sender.later(delays.afterwardsMilliseconds, () => intents.dispute(intent.id));
    return paid;
  },
  '4000000000007726': ({ intents, sender, delays }, intent) => {
    intents.succeed(intent);
    sender.later(delays.afterwardsMilliseconds, () => intents.refund(intent.id));
    return paid;
  },
};
