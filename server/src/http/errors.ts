import { type RefusalBody, type RefusalCode, refusals } from '@rowmill/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../core/refusal.ts';

const fastifyCodes: Record<string, RefusalCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_NOT_FOUND: 'not_found',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_media',
  FST_REQ_FILE_TOO_LARGE: 'too_large',
  FST_PARTS_LIMIT: 'too_large',
  FST_FILES_LIMIT: 'invalid_input',
  FST_FIELDS_LIMIT: 'too_large',
  FST_PROTO_VIOLATION: 'invalid_input',
  FST_INVALID_JSON_FIELD_ERROR: 'invalid_input',
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
  53100: 'storage_full',
};

/** The database cannot be reached or has no connection to spare: worth another try in a moment. */
const unreachable = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08003',
  '08001',
];
const retryAfterSeconds = 2;

/** Every error becomes the contract's refusal; what nobody foresaw stays in the log under its request id. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = asRefusal(error);
  if (refusal.status >= 500)
    request.log.error({ err: error, code: refusal.code }, 'a request failed');
  if (refusal.retryAfterSeconds) reply.header('retry-after', String(refusal.retryAfterSeconds));
  return reply
    .status(refusal.status)
    .type('application/json; charset=utf-8')
    .send(bodyOf(refusal, request.id));
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code = '', message = '', statusCode } = error as Partial<FastifyError>;
  const known =
    fastifyCodes[code] ??
    (error instanceof SyntaxError && statusCode === 400 ? 'invalid_json' : undefined);
  if (known)
    return new Refusal(known, known === 'invalid_input' ? { fields: { file: message } } : {});
  if (isBrokenUpload(error))
    return new Refusal('invalid_input', {
      fields: { file: 'The upload broke off. Please send it again.' },
    });
  if (
    unreachable.includes(code) ||
    /timeout exceeded when trying to connect|Connection terminated/.test(message)
  ) {
    return new Refusal('busy', { retryAfterSeconds });
  }
  return new Refusal('internal', {});
}

/** What the parser of multipart says of a body that is cut off or malformed; it has no codes for it. */
function isBrokenUpload(error: unknown): boolean {
  const { message = '', code = '' } = error as { message?: string; code?: string };
  return (
    /Unexpected end of (form|multipart|file)|Malformed part header|Multipart: Boundary not found|Part terminated early/i.test(
      message,
    ) || code === 'ERR_STREAM_PREMATURE_CLOSE'
  );
}

function bodyOf(refusal: Refusal, requestId: string): RefusalBody {
  return {
    status: false,
    code: refusal.code,
    message: refusal.message || refusals[refusal.code].message,
    request_id: requestId,
    ...(refusal.fields ? { fields: refusal.fields } : {}),
  };
}
