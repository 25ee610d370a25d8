import type { TestCardAnswer } from '@rowmill/contract';
import type { WebhookSender } from '../webhook-sender.ts';
import type { Intent, Intents, Tell } from './intents.ts';

/** How long the slow cards take. */
export interface Pace {
  pendingMilliseconds: number;
  lateMilliseconds: number;
  afterwardsMilliseconds: number;
}

export interface Till {
  intents: Intents;
  sender: WebhookSender;
  pace: Pace;
  tellIn(manner: { times?: number; afterMilliseconds?: number }): Tell;
}

type Card = (till: Till, intent: Intent) => TestCardAnswer;

const paid: TestCardAnswer = { status: true, outcome: 'paid' };

function declined(
  { intents }: Till,
  intent: Intent,
  code: string,
  message: string,
): TestCardAnswer {
  intents.decline(intent, code, message);
  return { status: true, outcome: 'declined', message };
}

/** What each number does to an intent. */
export const cards: Readonly<Record<string, Card>> = {
  '4242424242424242': ({ intents }, intent) => {
    intents.succeed(intent);
    return paid;
  },
  '4000000000000002': (till, intent) =>
    declined(till, intent, 'card_declined', 'Your card was declined.'),
  '4000000000009995': (till, intent) =>
    declined(till, intent, 'insufficient_funds', 'Your card has insufficient funds.'),
  '4000002500003155': ({ intents }, intent) => {
    intents.wait(intent, 'requires_action');
    return { status: true, outcome: 'requires_action' };
  },
  '4000000000000077': ({ intents, sender, pace }, intent) => {
    intents.wait(intent, 'processing');
    sender.later(pace.pendingMilliseconds, () => intents.succeed(intent));
    return { status: true, outcome: 'pending' };
  },
  '4000000000000127': ({ intents, pace, tellIn }, intent) => {
    intents.succeed(intent, intent.amount, tellIn({ afterMilliseconds: pace.lateMilliseconds }));
    return paid;
  },
  '4000000000000119': ({ intents, tellIn }, intent) => {
    intents.succeed(intent, intent.amount, tellIn({ times: 3 }));
    return paid;
  },
  '4000000000000069': ({ intents }, intent) => {
    intents.succeed(intent, intent.amount - 1);
    return paid;
  },
  '4000000000000259': ({ intents, sender, pace }, intent) => {
    intents.succeed(intent);
    sender.later(pace.afterwardsMilliseconds, () => intents.dispute(intent.id));
    return paid;
  },
  '4000000000007726': ({ intents, sender, pace }, intent) => {
    intents.succeed(intent);
    sender.later(pace.afterwardsMilliseconds, () => intents.refund(intent.id));
    return paid;
  },
};
