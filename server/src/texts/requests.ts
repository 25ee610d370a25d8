import { formatNumber } from './numbers.ts';

/** By refusal code. */
export const refused = {
  too_many_requests: {
    emails:
      'We have sent several emails to this address already. Open the link in the newest one, or try again later.',
    uploads: (count: number) => `You can upload ${formatNumber(count)} files per minute.`,
    prompts: 'You are sending prompts very fast. Wait a moment, or upload them as a sheet.',
    orders: 'You have placed many orders today. Pay for one of them, or try again tomorrow.',
    starts: 'You are starting batches very fast. Wait a while, or put the rows into one sheet.',
    changes: 'You have made very many changes today. Try again tomorrow.',
    freePlans:
      'You have started many free plans for clients today. Invite further clients without a plan: they get the free plan when they sign in.',
    judgements:
      'You are judging answers very fast. Wait a moment, or judge up to 1,000 rows with one request.',
    failedPrompts:
      'Many of your prompts have failed. Wait a moment, check your prompt and the model, and try again.',
    unusableRows:
      'Too many of your answers did not fit their answer columns. Check the prompt, the columns and the model. Without answer columns you can go on.',
    /** More at once than the person's fair share. */
    atOnce: {
      uploads: (most: number) =>
        `You can upload ${formatNumber(most)} files at once. Wait until one is done.`,
      streams: (most: number) =>
        `Live updates are open in ${formatNumber(most)} tabs already. This page updates every few seconds instead.`,
      downloads: (most: number) =>
        `You can download ${formatNumber(most)} files at once. Wait until one is done.`,
      exports: 'Your data is being exported already. Wait until that is done.',
      searches: 'Your earlier searches are still running. Wait until one is done.',
      lists: 'You are opening many lists at once. Wait until one is shown.',
      quotes: 'We are still working on your earlier quotes. Wait until one is done.',
      previews: 'We are still answering your earlier previews. Wait until one is done.',
      prompts: 'Many of your prompts wait for an answer. Wait until some are answered.',
      calls: 'You are sending many requests at once. Wait until some are answered.',
    },
  },
  busy: { firstRefused: 'The first request with this key was refused. Send it again.' },
  idempotency_mismatch: {
    dropped:
      'This request was carried out, but its answer has since been deleted. Use a new key to send it again.',
  },
  invalid_input: {
    key: (characters: number) =>
      `Use at most ${formatNumber(characters)} visible ASCII characters.`,
  },
};
