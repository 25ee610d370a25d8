import type { RefusalBody, RefusalCode } from '@rowmill/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../core/refusal.ts';
import { isOutOfFiles, Misconfigured, ServiceUnavailable } from '../lib/unavailable.ts';
import * as texts from '../texts/http.ts';

/** Fastify's codes for requests that it cannot route or parse; see uploads.ts for uploads. */
const fastifyCodes: Record<string, RefusalCode> = {
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_NOT_FOUND: 'not_found',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
};

/** Node's codes for a full disk, and PostgreSQL's. */
const fullDiskCodes = ['ENOSPC', 'EDQUOT', '53100'];
const retryAfterSeconds = 2;

/** Of a file that is not sent after all. A refusal is neither compressed nor cached. */
const fileHeaders = [
  'content-disposition',
  'content-encoding',
  'content-length',
  'cache-control',
  'etag',
  'last-modified',
];

/** Answers every error with a refusal of the contract. Unexpected errors are only logged. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error);
  if (refusal.status >= 500 && !isLeft(error, reply))
    request.log.error({ err: error, code: refusal.code }, 'a request failed');
  if (refusal.retryAfterSeconds) reply.header('retry-after', String(refusal.retryAfterSeconds));
  for (const name of fileHeaders) reply.removeHeader(name);
  // The reply is not returned: Fastify would wait for it with further listeners.
  reply
    .header('cache-control', 'no-store')
    .status(refusal.status)
    .type('application/json; charset=utf-8')
    .send(bodyOf(refusal, request.id));
}

/** The client of a download left before its first byte. */
function isLeft(error: unknown, { raw }: FastifyReply): boolean {
  return raw.destroyed && (error as Partial<FastifyError>).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Misconfigured) return new Refusal('busy', { message: texts.storeRefuses });
  if (error instanceof ServiceUnavailable) return new Refusal('busy', { retryAfterSeconds });
  const { code = '', statusCode } = error as Partial<FastifyError>;
  const fastifyCode = fastifyCodes[code];
  if (fastifyCode) return new Refusal(fastifyCode, {});
  if (isOutOfFiles(error)) return new Refusal('busy', { retryAfterSeconds });
  if (fullDiskCodes.includes(code)) return new Refusal('storage_full', {});
  // Fastify sets this status, without its own code, on errors of reading the body.
  if (statusCode === 400) {
    return error instanceof SyntaxError
      ? new Refusal('invalid_json', {})
      : new Refusal('invalid_input', { fields: { request: texts.requestIncomplete } });
  }
  return new Refusal('internal', {});
}

function bodyOf(refusal: Refusal, requestId: string): RefusalBody {
  return {
    status: false,
    code: refusal.code,
    message: refusal.message,
    request_id: requestId,
    fields: refusal.fields,
  };
}
