import { formatNumber } from './numbers.ts';

/** By refusal code. */
export const refused = {
  too_many_requests: {
    emails:
      'We have sent several emails to this address already. Check its inbox, or wait an hour.',
    uploads: (count: number) =>
      `You can upload ${formatNumber(count)} files a minute. Wait a moment and try again.`,
    prompts: 'You are sending prompts very fast. Wait a moment, or upload them as a sheet.',
    orders: 'You are placing orders very fast. Wait a moment and try again.',
  },
  busy: { firstRefused: 'The first request with this key was refused. Send it again.' },
  idempotency_mismatch: {
    dropped:
      'This request was carried out, and its answer was deleted since. Use a new key to send it again.',
  },
  invalid_input: {
    key: (characters: number) =>
      `Use at most ${formatNumber(characters)} visible ASCII characters.`,
  },
};
