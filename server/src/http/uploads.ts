import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import { saveFile, sheetMetadata } from '@rowmill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../core/context.ts';
import type { Upload } from '../core/handlers.ts';
import { Refusal, refuse } from '../core/refusal.ts';
import { hasRoomFor } from '../lib/disk-room.ts';

const fieldLimits = {
  fields: 40,
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  headerPairs: 50,
} as const;
const metadataKeysAtMost = 32;
const metadataBytesAtMost = 8 * 1024;
const nameLength = 200;
/** Room for the fields and the borders around the file. */
const wrappingBytes = 1024 * 1024;
/** Cut off at once, the line would take the answer along; so whoever still sends has this long to read why that is in vain. */
const patienceMilliseconds = 5_000;

export interface Received {
  fields: Record<string, unknown>;
  file: Upload;
}

export async function acceptUploads(app: FastifyInstance, ctx: Context): Promise<void> {
  const { bytes } = ctx.config.sheets;
  await app.register(multipart, {
    limits: { ...fieldLimits, files: 1, parts: fieldLimits.fields + 1, fileSize: bytes },
    throwFileSizeLimit: false,
  });
  app.addHook('onResponse', async (request) => {
    if (!request.raw.complete) endInPatience(request);
  });
}

/** Streams the file to a temporary path while it arrives. Its name is kept as text; where it lies, we decide. */
export async function receiveUpload(ctx: Context, request: FastifyRequest): Promise<Received> {
  const limit = ctx.config.sheets.bytes;
  refuseUnread(request, limit);
  const fields: Record<string, unknown> = {};
  let file: KeptFile | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') file = await keep(ctx, part, limit);
      else fields[part.fieldname] = readValue(part.value);
    }
    if (!file) refuse('invalid_input', { fields: { file: 'Please choose a file.' } });
    return {
      fields,
      file: {
        ...file,
        metadata: metadataIn(fields),
        isGivenUp: () => request.raw.socket.destroyed,
      },
    };
  } catch (error) {
    if (file) await ctx.files.discard(file.path);
    throw inWords(error);
  }
}

export async function discardUpload(ctx: Context, { file }: Received): Promise<void> {
  await ctx.files.discard(file.path);
}

function refuseUnread(request: FastifyRequest, limit: number): void {
  const { headers } = request;
  if (!request.isMultipart())
    refuse('unsupported_media', { message: 'Please send the file as multipart/form-data.' });
  // What is small when it comes may be without end when it is unpacked.
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    refuse('unsupported_media', { message: 'Please send the file as it is, not compressed.' });
  if (Number(headers['content-length'] ?? 0) > limit + wrappingBytes) throw tooLarge(limit);
}

type KeptFile = Omit<Upload, 'metadata' | 'isGivenUp'>;

async function keep(ctx: Context, part: MultipartFile, limit: number): Promise<KeptFile> {
  if (part.fieldname !== 'file')
    refuse('invalid_input', { fields: { file: 'The file belongs into the field “file”.' } });
  if (/^(base64|quoted-printable)$/i.test(part.encoding))
    refuse('unsupported_media', {
      message: 'Please send the file as it is, without a transfer encoding.',
    });
  const path = ctx.files.temporaryPath();
  const digest = createHash('sha256');
  // It is there before anything can fail, so that it can be deleted for good.
  const target = await open(path, 'w', 0o600);
  try {
    part.file.once('limit', () => part.file.destroy(tooLarge(limit)));
    part.file.on('data', (chunk: Buffer) => {
      digest.update(chunk);
      // Its rows are to be written too, and take about as much again.
      if (!hasRoomFor(part.file.bytesRead, ctx.config.dataDirectory))
        part.file.destroy(new Refusal('storage_full', {}));
    });
    await pipeline(part.file, target.createWriteStream());
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

/** What browsers send as a name may hold a path or characters that no list should show. */
function nameOf(given: string | undefined): string {
  const last = (given ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = last
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '')
    .trim();
  return [...clean].slice(0, nameLength).join('') || 'sheet.csv';
}

/** Values that are not text travel as JSON. */
function readValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^(\{|\[|true$|false$|null$)/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const namedFields = Object.keys(saveFile.request.shape);

function metadataIn(fields: Record<string, unknown>): Record<string, unknown> {
  const further = Object.entries(fields).filter(([name]) => !namedFields.includes(name));
  const metadata = Object.fromEntries(further);
  if (further.length > metadataKeysAtMost)
    refuseMetadata(`At most ${metadataKeysAtMost} further keys.`);
  if (
    !sheetMetadata.safeParse(metadata).success ||
    Buffer.byteLength(JSON.stringify(metadata)) > metadataBytesAtMost
  )
    refuseMetadata('At most 8 KiB of further keys, and not nested deeply.');
  if (holdsBrokenText(metadata)) refuseMetadata('Contains characters that cannot be kept.');
  return metadata;
}

function refuseMetadata(message: string): never {
  refuse('invalid_input', { fields: { request: message } });
}

/** No database keeps a NUL or half a surrogate pair in JSON, where they are the only characters written by these numbers. */
function holdsBrokenText(value: object): boolean {
  return /\\u(0000|d[89a-f])/.test(JSON.stringify(value).replaceAll('\\\\', ''));
}

const parserWords: Readonly<Record<string, string>> = {
  FST_FILES_LIMIT: 'One file at a time, please.',
  FST_PROTO_VIOLATION: 'A field has a name that cannot be used.',
  FST_INVALID_JSON_FIELD_ERROR: 'A field that says it is JSON is none.',
};

/** Whatever the parser of multipart throws is about the request; what this machine throws has a number. */
function inWords(error: unknown): unknown {
  const { code = '', errno } = error as NodeJS.ErrnoException;
  if (error instanceof Refusal || errno !== undefined) return error;
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
    return new Refusal('too_large', {
      message: `At most ${fieldLimits.fields} fields can come with a file.`,
    });
  const words = parserWords[code] ?? 'The upload broke off or is malformed. Please send it again.';
  return new Refusal('invalid_input', { fields: { file: words } });
}

function tooLarge(limit: number): Refusal {
  return new Refusal('too_large', {
    message: `The file is larger than ${Math.floor(limit / 1_000_000)} MB.`,
  });
}

function endInPatience({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
  const timer = setTimeout(() => raw.socket.destroy(), patienceMilliseconds);
  raw.once('close', () => clearTimeout(timer));
}
