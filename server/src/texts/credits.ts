import { nameOf } from '@rowmill/contract';
import { plainName } from '../lib/plain-name.ts';
import { formatDayAndMonth } from './dates.ts';
import { formatNumber, formatSubmissions } from './numbers.ts';

export const monthlyLimitReached = (limit: number, left: number, until: Date) =>
  `The monthly limit of ${formatSubmissions(limit)} leaves ${formatNumber(left)} until ${formatDayAndMonth(until)}.`;
/** Stays on a paused batch, also when the limit allows more again. */
export const pausedByMonthlyLimit = (limit: number, until: Date) =>
  `This batch reached the monthly limit of ${formatSubmissions(limit)}, which starts again on ${formatDayAndMonth(until)}.`;
export const accountFrozen =
  'Our records of your submissions do not add up, and we are looking into it. Nothing is lost, but you cannot start anything new until we have fixed this.';
export const accountInDebt = (debt: number) =>
  `You owe ${formatSubmissions(debt)}, because a payment was refunded or disputed after you used them. What you buy pays this first.`;
export const canTakeBackOnly = (given: number) =>
  `You can take back at most ${formatSubmissions(given)}.`;

export const lowBalance = 'Your submissions are running low.';

// Emails
interface Recipient {
  first_name: string;
  last_name: string;
  email: string;
}

export function ownLowBalanceEmail(client: Recipient, available: number, publicUrl: string) {
  return {
    subject: 'Your submissions are running low',
    greeting: `Hello ${client.first_name},`,
    paragraphs: [
      `You have ${formatSubmissions(available)} left. Submissions reserved for running batches are not counted.`,
    ],
    action: { label: 'Buy credits', url: `${publicUrl}/credits` },
    reason: `We sent this to ${client.email} because your balance fell below its alert level.`,
  };
}

export function clientLowBalanceEmail(
  admin: Recipient,
  client: Recipient,
  { available, publicUrl }: { available: number; publicUrl: string },
) {
  const name = plainName(nameOf(client));
  return {
    subject: `${name} is running low on submissions`,
    greeting: `Hello ${admin.first_name},`,
    paragraphs: [
      `Your client ${name} has ${formatSubmissions(available)} left. You can give them some from your own balance.`,
    ],
    action: {
      label: 'Go to the client',
      url: `${publicUrl}/clients?search=${encodeURIComponent(client.email)}`,
    },
    reason: `We sent this to ${admin.email} because you manage this client.`,
  };
}
