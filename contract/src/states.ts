/** All states, and the actions allowed in each. `migrations.test.ts` compares the database. */

export const batchStates = ['ready', 'running', 'paused', 'stopped', 'completed'] as const;
export type BatchState = (typeof batchStates)[number];

/** Why a batch is paused: by its owner (`person`) or by the engine. It can always be resumed. */
export const pauseReasons = [
  'person',
  'needs_credits',
  'provider_refused',
  'request_refused',
  'provider_down',
  'storage_full',
  'no_capacity',
  'sheet_unreadable',
] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** These pauses end by themselves, unless the owner pauses the batch too. */
export const temporaryPauses: readonly (PauseReason | null)[] = [
  'provider_refused',
  'provider_down',
  'storage_full',
  'no_capacity',
];

export const batchActions = [
  'play',
  'pause',
  'stop',
  'download',
  'retryFailed',
  'changeOptions',
  'delete',
] as const;
export type BatchAction = (typeof batchActions)[number];

/** Used by the server's guard and the browser's buttons and tooltips. */
export const allowedBatchActions = {
  ready: ['play', 'download', 'delete'],
  running: ['pause', 'stop', 'download'],
  // `pause`: while the pause would end by itself.
  paused: ['play', 'pause', 'stop', 'download', 'changeOptions'],
  stopped: ['download', 'retryFailed', 'changeOptions', 'delete'],
  completed: ['download', 'retryFailed', 'changeOptions', 'delete'],
} as const satisfies Record<BatchState, readonly BatchAction[]>;

/** `skipped`: nothing to ask, because every column that the prompt uses is empty. */
export const rowStates = ['answered', 'failed', 'skipped'] as const;
export type RowState = (typeof rowStates)[number];
export const isRowState = (name: string): name is RowState =>
  (rowStates as readonly string[]).includes(name);

/** Of a slice: queued or leased, waiting for its batch to resume, with a result for every row. */
export const sliceStates = ['queued', 'idle', 'done'] as const;
export type SliceState = (typeof sliceStates)[number];

/** A single prompt's submission is reserved while it is `asking`. */
export const singlePromptStates = ['asking', 'answered', 'failed'] as const;
export type SinglePromptState = (typeof singlePromptStates)[number];

export const orderTypes = ['plan', 'credits'] as const;
export type OrderType = (typeof orderTypes)[number];

/** How a person pays. The wire fields named `provider` hold one of these. */
export const paymentMethods = ['card', 'wallet'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** `review`: the payment differs from its order; nothing is delivered until an operator decides. */
export const paymentStates = [
  'pending',
  'paid',
  'failed',
  'refunded',
  'disputed',
  'review',
] as const;
export type PaymentState = (typeof paymentStates)[number];

/** Money that a provider takes back. `returned`: the provider gave it back to us. */
export const reversalKinds = ['refund', 'dispute'] as const;
export type ReversalKind = (typeof reversalKinds)[number];
export const reversalStates = ['open', 'taken', 'returned'] as const;
export type ReversalState = (typeof reversalStates)[number];

export const linkPurposes = [
  'verify_email',
  'change_email',
  'reset_password',
  'invitation',
] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** The parts of a credit account; `external` is everything outside it. */
export const creditBuckets = ['external', 'available', 'reserved', 'spent', 'debt'] as const;
export type CreditBucket = (typeof creditBuckets)[number];
