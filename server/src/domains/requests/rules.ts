import { hour, minute } from '../../lib/clock.ts';

export interface Limit {
  name: string;
  tries: number;
  windowMilliseconds: number;
  message: string;
}

const wait = 'Too many tries. Please wait a little before the next one.';

/** How often a door may be tried. None of them locks for ever: every window ends by itself. */
export const limits = {
  signInToAccount: {
    name: 'sign-in-account',
    tries: 10,
    windowMilliseconds: 15 * minute,
    message: wait,
  },
  signInFromAddress: {
    name: 'sign-in-address',
    tries: 100,
    windowMilliseconds: hour,
    message: wait,
  },
  signInAtAll: {
    name: 'sign-in-all',
    tries: 20_000,
    windowMilliseconds: 15 * minute,
    message: wait,
  },
  registerFromAddress: {
    name: 'register-address',
    tries: 60,
    windowMilliseconds: hour,
    message: wait,
  },
  mailToAddress: {
    name: 'mail-to',
    tries: 6,
    windowMilliseconds: hour,
    message:
      'We have sent several mails to this address already. Please look into its inbox, or wait a little.',
  },
  mailFromAddress: { name: 'mail-from', tries: 60, windowMilliseconds: hour, message: wait },
  openLinkFromAddress: { name: 'link-from', tries: 200, windowMilliseconds: hour, message: wait },
  passwordOfAccount: {
    name: 'password-account',
    tries: 10,
    windowMilliseconds: 15 * minute,
    message: wait,
  },
  uploadByPerson: {
    name: 'upload',
    tries: 10,
    windowMilliseconds: minute,
    message: 'Ten files a minute are the most that can be uploaded. Please wait a moment.',
  },
  reviseByPerson: { name: 'revise', tries: 30, windowMilliseconds: minute, message: wait },
  questionByPerson: {
    name: 'question',
    tries: 600,
    windowMilliseconds: minute,
    message: 'These are very many questions at once. Please wait a moment, or ask them as a sheet.',
  },
  orderByPerson: {
    name: 'order',
    tries: 600,
    windowMilliseconds: minute,
    message: 'These are very many orders at once. Please wait a moment.',
  },
  inviteByAdmin: { name: 'invite', tries: 200, windowMilliseconds: hour, message: wait },
} as const satisfies Record<string, Limit>;

/** How long the first answer to an idempotency key is kept. */
export const idempotencyKeyLifetime = 24 * hour;
export const idempotencyKeyMaximumLength = 200;
