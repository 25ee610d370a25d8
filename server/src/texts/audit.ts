import { roleName } from '@rowmill/contract';

type Detail = Record<string, unknown>;

const number = (value: unknown) => (typeof value === 'number' ? value.toLocaleString('en') : '?');
const submissions = (value: unknown) =>
  `${number(value)} ${value === 1 || value === -1 ? 'submission' : 'submissions'}`;
const because = ({ reason }: Detail) => (typeof reason === 'string' && reason ? `: ${reason}` : '');
const limit = (value: unknown) => (value === null ? 'none' : number(value));

/**
 * Acts that are kept: what changes somebody's security, role or credits, and whatever is done for another. Each with the
 * words that go on from the name of whoever did it.
 */
export const actWords = {
  password_changed: () => 'changed the password',
  password_reset: () => 'set a new password by a mailed link',
  password_reset_by_admin: () => 'signed all devices out and sent a link to set a new password',
  address_change_asked: () => 'asked to change the e-mail address',
  address_changed: () => 'changed the e-mail address',
  address_verified: () => 'verified the e-mail address',
  profile_changed: () => 'changed the profile',
  billing_address_changed: () => 'changed the billing address',
  session_revoked: () => 'signed devices out',
  client_invited: () => 'sent the invitation',
  client_limits_set: ({ monthly_limit, low_balance_at }) =>
    `set the monthly limit to ${limit(monthly_limit)} and the notice of a low balance to ${limit(low_balance_at)}`,
  client_moved: (detail) => `changed who looks after the account${because(detail)}`,
  credits_given: (detail) => `gave ${submissions(detail.amount)}${because(detail)}`,
  credits_taken_back: (detail) => `took ${submissions(detail.amount)} back${because(detail)}`,
  credits_adjusted: (detail) =>
    `changed the balance by ${submissions(detail.change)}${because(detail)}`,
  plan_taken: ({ plan }) => `took the plan “${plan}”`,
  order_made: ({ description }) => `ordered ${description}`,
  payment_begun_anew: ({ description }) => `began the payment for ${description} anew`,
  order_paid: ({ description }) => `paid for ${description}`,
  order_reversed: ({ submissions }) =>
    `had a payment refunded or disputed, which took ${number(submissions)} submissions back`,
  order_restored: ({ submissions }) =>
    `won a disputed payment, which gave ${number(submissions)} submissions back`,
  payment_accepted: (detail) => `accepted a payment that did not fit its order${because(detail)}`,
  payment_refused: (detail) => `refused a payment that did not fit its order${because(detail)}`,
  payment_given_back: (detail) =>
    `gave the money of a refused payment back by another way${because(detail)}`,
  sheet_uploaded: () => 'uploaded a sheet',
  sheet_revised: () => 'changed how a sheet is read',
  variable_changed: () => 'changed a variable',
  question_asked: () => 'asked a question',
  batch_started: () => 'started a batch',
  batch_played: () => 'resumed a batch',
  batch_paused: () => 'paused a batch',
  batch_stopped: () => 'stopped a batch',
  batch_retried: () => 'ran the failed rows of a batch again',
  batch_deleted: () => 'deleted a batch',
  account_deleted: () => 'deleted the account',
  operator_made: () => 'was made an operator by command',
  catalogue_changed: ({ item, name }) => `changed what is for sale: the ${item} “${name}”`,
  role_changed: (detail) =>
    `made the account ${roleName(Number(detail.role_id)) === 'admin' ? 'an admin’s' : 'a client’s'}${because(detail)}`,
  person_suspended: (detail) => `suspended the account${because(detail)}`,
  person_unsuspended: (detail) => `lifted the suspension${because(detail)}`,
} as const satisfies Record<string, (detail: Detail) => string>;

export type Act = keyof typeof actWords;

/** An entry that an older version wrote may name an act that is not kept any more. */
export function wordsFor(act: string, detail: Detail): string {
  const words = Object.hasOwn(actWords, act) ? actWords[act as Act] : undefined;
  return words ? words(detail) : act.replaceAll('_', ' ');
}
