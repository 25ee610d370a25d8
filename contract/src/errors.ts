// Pages say these too, and need not fetch the table for them.
export const signInAgain = 'Please sign in again.';
export const verifyYourEmail =
  'To access this feature, please verify your email by clicking the link we sent to your inbox.';

/**
 * Every way a call can be refused. A new refusal is added here, with its status and a message that
 * says what happened and what to do next.
 */
export const refusals = {
  invalid_json: {
    status: 400,
    message: 'The request is not valid JSON. Correct it and send it again.',
  },
  invalid_input: { status: 422, message: 'Please check the marked fields.' },
  unsupported_media: {
    status: 415,
    message:
      'This kind of content is not accepted here. Send JSON as application/json, or a file where one is expected.',
  },
  too_large: { status: 413, message: 'The request is too large. Send less at a time.' },
  not_found: {
    status: 404,
    message: 'We could not find this. It may be deleted, or belong to someone else.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This address does not accept this method. The list of calls is at /openapi.json.',
  },
  not_signed_in: { status: 401, message: signInAgain },
  wrong_credentials: {
    status: 422,
    message: 'The email address or password is wrong. Check both and try again.',
  },
  verify_email: { status: 403, message: verifyYourEmail },
  not_allowed: {
    status: 403,
    message: 'Your account is not allowed to do this. Contact support if you need it.',
  },
  suspended: {
    status: 403,
    message: 'This account is suspended. Contact support to have it reviewed.',
  },
  no_longer_yours: {
    status: 403,
    message: 'You no longer manage this client. Choose another one.',
  },
  foreign_origin: {
    status: 403,
    message: 'Requests from this website are not accepted. Use the product’s own pages.',
  },
  link_invalid: { status: 422, message: 'This link is not valid. Ask for a new one.' },
  link_expired: { status: 422, message: 'This link has expired. Ask for a new one.' },
  link_used: { status: 422, message: 'This link has already been used. Ask for a new one.' },
  already_verified: {
    status: 409,
    message: 'This email address is already verified. You can sign in.',
  },
  address_unavailable: {
    status: 409,
    message: 'This email address cannot be added. It may already have an account.',
  },
  not_now: {
    status: 409,
    message: 'This is not possible in its current state. Reload the page and try again.',
  },
  idempotency_mismatch: {
    status: 422,
    message: 'This idempotency key belongs to a different request. Use a new key.',
  },
  insufficient_credits: {
    status: 402,
    message: 'You do not have enough submissions for this. Buy more, or do less at a time.',
  },
  not_paid: { status: 402, message: 'This order is not paid yet. Complete the payment first.' },
  payment_refused: {
    status: 402,
    message: 'The payment provider refused this payment. Try another way to pay.',
  },
  unreadable_file: {
    status: 422,
    message: 'This file cannot be read as a sheet. Save it as CSV and upload that.',
  },
  model_failed: {
    status: 502,
    message: 'The model gave no usable answer. Nothing was charged; please try again.',
  },
  too_many_requests: { status: 429, message: 'Too many attempts.' },
  busy: { status: 503, message: 'The service is very busy. Please try again in a moment.' },
  storage_full: {
    status: 507,
    message: 'There is not enough storage for this. Try again later, or contact support.',
  },
  internal: { status: 500, message: 'Something went wrong on our side. Please try again.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type RefusalCode = keyof typeof refusals;

/** A refusal on the wire. `fields` names what is wrong with each field of the request. */
export interface RefusalBody {
  status: false;
  code: RefusalCode;
  message: string;
  request_id: string;
  fields?: Record<string, string>;
}

/** Refusals of every call: from the HTTP layer, the rate limits and the database. */
export const commonRefusals = [
  'invalid_json',
  'invalid_input',
  'unsupported_media',
  'too_large',
  'method_not_allowed',
  'foreign_origin',
  'too_many_requests',
  'busy',
  'storage_full',
  'internal',
] as const satisfies readonly RefusalCode[];
