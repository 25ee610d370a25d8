/** The states of everything that has a life, and what may be done in each. A test holds them against the database. */

export const batchStates = ['ready', 'running', 'paused', 'stopped', 'completed'] as const;
export type BatchState = (typeof batchStates)[number];

/** Why the engine itself paused a batch; always resumable. `person` is a pause that somebody asked for. */
export const pauseReasons = [
  'person',
  'needs_credits',
  'provider_refused',
  'provider_down',
  'storage_full',
] as const;
export type PauseReason = (typeof pauseReasons)[number];

export const batchActions = ['play', 'pause', 'stop', 'download', 'retryFailed', 'delete'] as const;
export type BatchAction = (typeof batchActions)[number];

/** One table for guard, button and tooltip. */
export const allowedBatchActions = {
  ready: ['play', 'download', 'delete'],
  running: ['pause', 'stop', 'download'],
  paused: ['play', 'stop', 'download'],
  stopped: ['download', 'retryFailed', 'delete'],
  completed: ['download', 'retryFailed', 'delete'],
} as const satisfies Record<BatchState, readonly BatchAction[]>;

export const rowStates = ['answered', 'failed'] as const;
export type RowState = (typeof rowStates)[number];

/** A slice of a batch: in the queue or in a worker's hands; waiting for the batch to go on; settled to its last row. */
export const sliceStates = ['queued', 'idle', 'done'] as const;
export type SliceState = (typeof sliceStates)[number];

/** A single question: its submission is held while it is asked. */
export const questionStates = ['asking', 'answered', 'failed'] as const;
export type QuestionState = (typeof questionStates)[number];

export const orderTypes = ['plan', 'credits'] as const;
export type OrderType = (typeof orderTypes)[number];

/** How a person pays. The wire fields named `provider` hold one of these. */
export const paymentMethods = ['card', 'wallet'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** `review`: what the provider says differs from the order; nothing is given until somebody has looked. */
export const paymentStates = [
  'pending',
  'paid',
  'failed',
  'refunded',
  'disputed',
  'review',
] as const;
export type PaymentState = (typeof paymentStates)[number];

/** What a provider takes back from us: a refund, or what a dispute holds; `returned` when it came to nothing. */
export const reversalKinds = ['refund', 'dispute'] as const;
export type ReversalKind = (typeof reversalKinds)[number];
export const reversalStates = ['open', 'taken', 'returned'] as const;
export type ReversalState = (typeof reversalStates)[number];

export const linkPurposes = [
  'verify_email',
  'change_email',
  'reset_password',
  'invitation',
  'invoice',
  'results',
] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** The parts of a credit account; `external` is everything outside it. */
export const creditBuckets = ['external', 'available', 'reserved', 'spent', 'debt'] as const;
export type CreditBucket = (typeof creditBuckets)[number];
