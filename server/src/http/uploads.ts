import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import { saveFile, sheetMetadata } from '@rowmill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodMiniType } from 'zod/mini';
import { requestTimes, uploadForm } from '../config/limits.ts';
import type { Context } from '../core/context.ts';
import type { Upload } from '../core/handlers.ts';
import { Refusal, refuse, refuseField } from '../core/refusal.ts';
import { hasSpaceFor } from '../lib/disk-space.ts';
import { withoutTextMethods } from '../lib/json-values.ts';
import * as texts from '../texts/http.ts';
import { readText } from './request-fields.ts';

/** For the fields and the boundaries around the file. */
const formBytes = 1024 * 1024;
/** Free space is checked once per this many bytes; 64 MB stay free for answers anyway. */
const checkSpaceEveryBytes = 4 * 1024 * 1024;

export async function acceptUploads(app: FastifyInstance, ctx: Context): Promise<void> {
  const { bytes } = ctx.config.sheets;
  await app.register(multipart, {
    limits: {
      fields: uploadForm.fields,
      fieldNameSize: 100,
      fieldSize: uploadForm.fieldBytes,
      headerPairs: 50,
      files: 1,
      parts: uploadForm.fields + 1,
      fileSize: bytes,
    },
    throwFileSizeLimit: false,
  });
  app.addHook('onResponse', async (request) => {
    if (!request.raw.complete) closeAfterLinger(request);
  });
}

/** Streams the file to a temporary path of our own. The client's file name is only text. */
export async function receiveUpload(ctx: Context, request: FastifyRequest) {
  const limit = ctx.config.sheets.bytes;
  refuseUnread(request, limit);
  const fields: Record<string, unknown> = {};
  let file: ReceivedFile | null = null;
  try {
    for await (const part of partsOf(ctx, request)) {
      if (part.type === 'file') file = await receiveFile(ctx, part);
      else fields[part.fieldname] = readField(part.fieldname, part.value);
    }
    if (!file) refuseField('file', texts.chooseFile);
    const named = Object.entries(fields).filter((field) => !isFurther(field));
    return {
      fields: Object.fromEntries(named),
      file: { ...file, metadata: metadataIn(fields) },
    };
  } catch (error) {
    if (file) await ctx.files.discard(file.path);
    throw asRefusal(error);
  }
}

/** The parser never ends when the client disconnects between two parts, so a signal ends it. */
async function* partsOf({ signal }: Context, request: FastifyRequest): AsyncGenerator<Multipart> {
  const { promise: brokenOff, reject } = Promise.withResolvers<never>();
  brokenOff.catch(() => {});
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  const parts = request.parts();
  for (;;) {
    const { done, value } = await Promise.race([parts.next(), brokenOff]);
    if (done) return;
    yield value;
  }
}

function refuseUnread(request: FastifyRequest, limit: number): void {
  const { headers } = request;
  if (!request.isMultipart()) refuse('unsupported_media', { message: texts.sendAsForm });
  // A small compressed body can unpack to any size.
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    refuse('unsupported_media', { message: texts.sendUncompressed });
  if (Number(headers['content-length'] ?? 0) > limit + formBytes) throw tooLarge(limit);
}

type ReceivedFile = Omit<Upload, 'metadata'>;

async function receiveFile(ctx: Context, part: MultipartFile): Promise<ReceivedFile> {
  const limit = ctx.config.sheets.bytes;
  if (part.fieldname !== 'file') refuseField('file', texts.wrongField);
  if (/^(base64|quoted-printable)$/i.test(part.encoding))
    refuse('unsupported_media', { message: texts.sendUnencoded });
  const path = ctx.files.temporaryPath();
  const digest = createHash('sha256');
  // The file exists before anything can fail, so that discarding it always finds it.
  const target = await open(path, 'w', 0o600);
  try {
    part.file.once('limit', () => part.file.destroy(tooLarge(limit)));
    await pipeline(
      part.file,
      async function* inspect(chunks: AsyncIterable<Buffer>) {
        let nextCheck = 0;
        for await (const chunk of chunks) {
          digest.update(chunk);
          if (part.file.bytesRead >= nextCheck) {
            nextCheck = part.file.bytesRead + checkSpaceEveryBytes;
            // The rows file takes about as much space again.
            if (!(await hasSpaceFor(part.file.bytesRead, ctx.config.dataDirectory)))
              throw new Refusal('storage_full', {});
          }
          yield chunk;
        }
      },
      target.createWriteStream(),
      { signal: ctx.signal },
    );
    return {
      path,
      name: nameOf(part.filename),
      bytes: part.file.bytesRead,
      digest: digest.digest('hex'),
    };
  } catch (error) {
    await ctx.files.discard(path);
    throw error;
  }
}

/** The client's file name may hold a path, or characters that would garble a list. */
function nameOf(given: string | undefined): string {
  const last = (given ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? '';
  // Browsers escape these characters, and no others.
  const clean = last
    .replace(/%0[ad]/gi, '')
    .replaceAll('%22', '"')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '')
    .trim();
  return [...clean].slice(0, uploadForm.fileNameCharacters).join('') || 'sheet.csv';
}

/** Values other than text are sent as JSON. */
function readValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^(\{|\[|true$|false$|null$)/.test(value)) return value;
  try {
    return withoutTextMethods(JSON.parse(value));
  } catch {
    return value;
  }
}

const namedFields = new Map<string, ZodMiniType>(Object.entries(saveFile.request.shape));

function readField(name: string, value: unknown): unknown {
  const schema = namedFields.get(name);
  return schema ? readText(schema, readValue(value)) : readValue(value);
}

/** Keys are arbitrary, so one may be named like an option and hold another value. */
function isFurther([name, value]: [string, unknown]): boolean {
  return name !== 'switchedAs' && !namedFields.get(name)?.safeParse(value).success;
}

function metadataIn(fields: Record<string, unknown>): Record<string, unknown> {
  const further = Object.entries(fields).filter(isFurther);
  const metadata = Object.fromEntries(further);
  if (further.length > uploadForm.metadataKeys)
    refuseMetadata(texts.tooManyKeys(uploadForm.metadataKeys));
  if (
    !sheetMetadata.safeParse(metadata).success ||
    Buffer.byteLength(JSON.stringify(metadata)) > uploadForm.metadataBytes
  )
    refuseMetadata(texts.keysTooLarge(uploadForm.metadataBytes / 1024));
  if (holdsBrokenText(metadata)) refuseMetadata(texts.keysUnreadable);
  return metadata;
}

function refuseMetadata(message: string): never {
  refuseField('request', message);
}

/** PostgreSQL's jsonb refuses NUL and half surrogates, which JSON writes with these escapes. */
function holdsBrokenText(value: object): boolean {
  return /\\u(0000|d[89a-f])/.test(JSON.stringify(value).replaceAll('\\\\', ''));
}

/** By the codes of the multipart parser. */
const parserTexts: Readonly<Record<string, string>> = {
  FST_FILES_LIMIT: texts.oneFile,
  FST_PROTO_VIOLATION: texts.badFieldName,
  FST_INVALID_JSON_FIELD_ERROR: texts.badJsonField,
};

/** Errors of the parser are the request's fault. This machine's have an `errno` and stay. */
function asRefusal(error: unknown): unknown {
  const { code = '', errno } = error as NodeJS.ErrnoException;
  if (error instanceof Refusal || errno !== undefined) return error;
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
    return new Refusal('too_large', { message: texts.tooManyFields(uploadForm.fields) });
  return new Refusal('invalid_input', {
    fields: { file: parserTexts[code] ?? texts.uploadIncomplete },
  });
}

function tooLarge(limit: number): Refusal {
  return new Refusal('too_large', { message: texts.fileTooLarge(Math.floor(limit / 1_000_000)) });
}

function closeAfterLinger({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
  const timer = setTimeout(() => raw.socket.destroy(), requestTimes.linger);
  raw.once('close', () => clearTimeout(timer));
}
