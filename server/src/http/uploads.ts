import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import { sheetMetadata } from '@rowmill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { Upload } from '../handlers.ts';
import { refuse } from '../refusal.ts';

const fieldLimits = { fields: 40, fieldNameSize: 100, fieldSize: 16 * 1024, headerPairs: 50 } as const;
const metadataKeysAtMost = 32;
const nameLength = 200;
/** Room for the fields and the borders around the file. */
const wrappingBytes = 1024 * 1024;

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
}

/** Streams the file to a temporary path while it arrives. Its name is kept as text; where it lies, we decide. */
export async function receiveUpload(ctx: Context, request: FastifyRequest): Promise<Received> {
  const limit = ctx.config.sheets.bytes;
  if (!request.isMultipart()) refuse('unsupported_media', { message: 'Please send the file as multipart/form-data.' });
  if (Number(request.headers['content-length'] ?? 0) > limit + wrappingBytes) refuse('too_large', { message: tooLarge(limit) });
  const fields: Record<string, unknown> = {};
  let file: Omit<Upload, 'metadata'> | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') file = await keep(ctx, part, limit);
      else if (isOrdinary(part.fieldname)) fields[part.fieldname] = readValue(part.value);
    }
    if (!file) refuse('invalid_input', { fields: { file: 'Please choose a file.' } });
    return { fields, file: { ...file, metadata: metadataIn(fields) } };
  } catch (error) {
    if (file) await ctx.files.discard(file.path);
    throw error;
  }
}

export async function discardUpload(ctx: Context, { file }: Received): Promise<void> {
  await ctx.files.discard(file.path);
}

async function keep(ctx: Context, part: MultipartFile, limit: number): Promise<Omit<Upload, 'metadata'>> {
  if (part.fieldname !== 'file') refuse('invalid_input', { fields: { file: 'The file belongs into the field “file”.' } });
  const path = ctx.files.temporaryPath();
  try {
    await pipeline(part.file, createWriteStream(path));
    if (part.file.truncated) refuse('too_large', { message: tooLarge(limit) });
    return { path, name: nameOf(part.filename), bytes: part.file.bytesRead };
  } catch (error) {
    await ctx.files.discard(path);
    throw error;
  }
}

/** What browsers send as a name may hold a path or characters that no list should show. */
function nameOf(given: string | undefined): string {
  const last = (given ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  const clean = last.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '').trim();
  return clean.slice(0, nameLength) || 'sheet.csv';
}

function isOrdinary(name: string): boolean {
  return !['__proto__', 'constructor', 'prototype'].includes(name);
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

function metadataIn(fields: Record<string, unknown>): Record<string, unknown> {
  const { switchedAs: _, ...metadata } = fields;
  if (Object.keys(metadata).length > metadataKeysAtMost) {
    refuse('invalid_input', { fields: { request: `At most ${metadataKeysAtMost} further keys.` } });
  }
  const parsed = sheetMetadata.safeParse(metadata);
  if (!parsed.success) refuse('invalid_input', { fields: { request: 'At most 8 KiB of further keys.' } });
  return parsed.data;
}

function tooLarge(limit: number): string {
  return `The file is larger than ${Math.floor(limit / 1_000_000)} MB.`;
}
