/**
 * Every way in which a call can be refused. The list is closed: a server that wants to say something new adds it here,
 * and with it the status and a sentence that a person can act on.
 */
export const refusals = {
  invalid_json: { status: 400, message: 'The request is not valid JSON.' },
  invalid_input: { status: 422, message: 'Please check the marked fields.' },
  unsupported_media: { status: 415, message: 'This kind of content is not accepted here.' },
  too_large: { status: 413, message: 'The request is larger than this call allows.' },
  not_found: { status: 404, message: 'There is nothing here, or it is not yours.' },
  method_not_allowed: { status: 405, message: 'This address does not answer that method.' },
  not_signed_in: { status: 401, message: 'Please sign in again.' },
  wrong_credentials: { status: 422, message: 'The e-mail address or the password is wrong.' },
  verify_email: {
    status: 403,
    message:
      'To access this feature, please verify your email by clicking the link we sent to your inbox.',
  },
  not_allowed: { status: 403, message: 'Your account is not allowed to do this.' },
  suspended: {
    status: 403,
    message: 'This account is suspended. Please write to support to have it looked at.',
  },
  no_longer_yours: { status: 403, message: 'You no longer look after this client.' },
  foreign_origin: { status: 403, message: 'Requests from this web site are not accepted.' },
  link_invalid: { status: 422, message: 'This link is not valid. Please ask for a new one.' },
  link_expired: { status: 422, message: 'This link has expired. Please ask for a new one.' },
  link_used: { status: 422, message: 'This link was used already. Please ask for a new one.' },
  already_verified: {
    status: 409,
    message: 'This e-mail address is already verified. You can sign in.',
  },
  address_unavailable: {
    status: 409,
    message: 'This e-mail address cannot be added. The person may have an account already.',
  },
  not_now: { status: 409, message: 'This is not possible in the present state.' },
  idempotency_mismatch: {
    status: 422,
    message: 'The same idempotency key came with a different request.',
  },
  insufficient_credits: { status: 402, message: 'There are not enough submissions for this.' },
  not_paid: { status: 402, message: 'This order is not paid yet.' },
  payment_refused: { status: 402, message: 'The payment was refused by the provider.' },
  unreadable_file: { status: 422, message: 'This file cannot be read as a sheet.' },
  model_failed: { status: 502, message: 'The model gave no usable answer. Nothing was charged.' },
  too_many_requests: { status: 429, message: 'Too many tries. Please wait a moment.' },
  busy: { status: 503, message: 'The service is very busy. Please try again in a moment.' },
  storage_full: { status: 507, message: 'There is no room left to store this.' },
  internal: { status: 500, message: 'Something went wrong on our side. Please try again.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type RefusalCode = keyof typeof refusals;

/** What a refusal looks like on the wire. `fields` names what is wrong with each field of the request. */
export interface RefusalBody {
  status: false;
  code: RefusalCode;
  message: string;
  request_id: string;
  fields?: Record<string, string>;
}

/** Codes that any call may answer, whatever it does: they come from the door, not from the use case. */
export const doorRefusals = [
  'invalid_json',
  'invalid_input',
  'unsupported_media',
  'too_large',
  'method_not_allowed',
  'foreign_origin',
  'no_longer_yours',
  'suspended',
  'too_many_requests',
  'busy',
  'internal',
] as const satisfies readonly RefusalCode[];
