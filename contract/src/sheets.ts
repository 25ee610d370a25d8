import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { boundedObject, count, id, line, prose, switchedAs } from './fields.ts';

const dialect = z.object({
  encoding: z.string(),
  delimiter: z.string(),
  header: z.boolean(),
});

const sheetProblem = z.object({
  line: z.nullable(z.int()),
  column: z.nullable(z.string()),
  kind: z.string(),
  message: z.string(),
});

export const sheet = z.object({
  id,
  name: z.string(),
  columns: z.array(z.string()),
  rows: count,
  dialect,
  sample: z.array(z.array(z.string())),
  report: z.object({ problems: z.array(sheetProblem), total: count }),
});
export type Sheet = z.infer<typeof sheet>;

const variable = z.object({ name: z.string(), value: z.string() });
/** What the browser may put beside the file: bounded, and kept as the metadata of the sheet. */
export const sheetMetadata = boundedObject(8 * 1024);

export const saveFile = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/saveFile',
  summary: 'Uploads a sheet. Further keys are kept as its metadata: at most 32, 8 KiB in all.',
  who: 'verified',
  actAs: 'switchedAs',
  idempotent: true,
  accepts: 'multipart',
  request: z.object({ switchedAs }),
  answer: z.object({ file: sheet }),
  refusals: ['not_found', 'unreadable_file', 'storage_full', 'idempotency_mismatch'],
} as const satisfies Endpoint;

export const saveVariable = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/saveVariable',
  summary: 'Keeps a named snippet, usable as {{name}} beside the columns of a sheet.',
  who: 'verified',
  actAs: 'switchedAs',
  request: z.object({
    variable: z.object({ name: line(80), value: prose(20_000) }, 'Must be an object.'),
    switchedAs,
  }),
  answer: z.object({ variable }),
  refusals: ['not_found', 'not_now'],
} as const satisfies Endpoint;

export const getVariables = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/getVariables',
  summary: 'The kept snippets.',
  who: 'verified',
  actAs: 'switchedAs',
  request: z.object({ switchedAs }),
  answer: z.object({ variables: z.array(variable) }),
  refusals: ['not_found'],
} as const satisfies Endpoint;

export const downloadUploadedCsv = {
  host: 'main',
  method: 'GET',
  path: '/api/emedia/downloadUploadedCsv/{id}',
  summary: 'The uploaded file, byte for byte.',
  who: 'verified',
  actAs: 'switchedAs',
  accepts: 'nothing',
  sends: 'file',
  request: z.object({ id, switchedAs }),
  answer: z.unknown(),
  refusals: ['not_found'],
} as const satisfies Endpoint;
