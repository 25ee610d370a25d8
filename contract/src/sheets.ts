import * as z from 'zod/mini';
import { call } from './endpoint.ts';
import { boundedObject, count, id, instant, line, page, switchedAs } from './fields.ts';

/** The media type of XLSX. */
export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const jsonLinesType = 'application/x-ndjson';

export const sheetFormats = ['delimited', 'workbook', 'json_lines'] as const;

const dialect = z.object({
  /** A text file with delimiters, or a workbook, where encoding and delimiter mean nothing. */
  format: z.enum(sheetFormats),
  encoding: z.string(),
  delimiter: z.string(),
  header: z.boolean(),
  /** The place of the sheet in its workbook, from 0; null for other files. */
  worksheet: z.nullable(z.int()),
  /** Title rows above the header, which are left out. */
  skip_rows: count,
  /** How many rows name the columns, when there is a header. */
  header_rows: count,
  /** How lines start that are left out; empty when there are none. */
  comment: z.string(),
  /** Spaces behind a delimiter do not belong to the cell. */
  trim: z.boolean(),
  /** The quote around cells that contain a delimiter. */
  quote: z.string(),
});

/** Overrides the detected dialect. */
const chosenDialect = {
  encoding: z.optional(line(40)),
  delimiter: z.optional(z.enum([',', ';', '\t', '|'], 'Choose a comma, semicolon, tab or pipe.')),
  header: z.optional(z.boolean('Must be true or false.')),
  worksheet: z.optional(z.int().check(z.minimum(0))),
  skip_rows: z.optional(z.int().check(z.minimum(0), z.maximum(1000))),
  header_rows: z.optional(z.int().check(z.minimum(1), z.maximum(10))),
  comment: z.optional(z.enum(['', '#'])),
  trim: z.optional(z.boolean('Must be true or false.')),
  quote: z.optional(z.enum(['"', "'"])),
};

const sheetProblem = z.object({
  line: z.nullable(z.int()),
  column: z.nullable(z.string()),
  kind: z.string(),
  message: z.string(),
});

const cells = z.array(z.string());

export const sheet = z.object({
  id,
  name: z.string(),
  bytes: count,
  columns: z.array(z.string()),
  rows: count,
  blank_rows: count,
  dialect,
  /** The sheets of the workbook; empty for other files. */
  worksheets: z.array(z.object({ name: z.string(), hidden: z.boolean(), filled: z.boolean() })),
  /** False until a person confirms the dialect; the sheet cannot be used before. */
  is_sure: z.boolean(),
  candidates: z.array(
    z.object({
      encoding: z.string(),
      delimiter: z.string(),
      /** Of a workbook with several sheets. */
      worksheet: z.optional(z.nullable(z.int())),
      sample: z.array(cells),
    }),
  ),
  sample: z.array(cells),
  report: z.object({ problems: z.array(sheetProblem), total: count }),
  created_at: instant,
});
export type Sheet = z.infer<typeof sheet>;

/** Other fields of the upload form, limited in size and stored with the sheet. */
export const sheetMetadata = boundedObject(8 * 1024);

export const saveFile = call({
  path: '/api/emedia/saveFile',
  summary:
    'Uploads a sheet. Other fields, and values that an option does not have, are stored as its metadata.',
  idempotent: 'outside',
  accepts: 'multipart',
  request: z.object({ switchedAs, ...chosenDialect }),
  answer: z.object({ file: sheet }),
  refusals: ['unreadable_file'],
});

export const listFiles = call({
  path: '/api/emedia/listFiles',
  summary: 'The uploaded sheets, newest first, and how much storage is used. A search finds names.',
  request: z.object({ ...page, switchedAs }),
  answer: z.object({
    files: z.array(
      z.object({
        id,
        name: z.string(),
        bytes: count,
        /** The file and its rows. */
        stored_bytes: count,
        columns: count,
        rows: count,
        /** How many batches use it. While there are any, it cannot be deleted. */
        batches: count,
        created_at: instant,
        /** When it is deleted if no batch uses it by then; null while one does. */
        expires_at: z.nullable(instant),
      }),
    ),
    total: count,
    storage: z.object({
      /** Sheets, rows and answers together. */
      used_bytes: count,
      quota_bytes: count,
      unused_days: count,
    }),
  }),
});

export const deleteFile = call({
  path: '/api/emedia/deleteFile',
  summary: 'Deletes a sheet. Refused while a batch uses it.',
  names: { field: 'id', a: 'sheet' },
  request: z.object({ id, switchedAs }),
  refusals: ['not_found', 'not_now'],
});

export const getFile = call({
  path: '/api/emedia/getFile',
  summary: 'An uploaded sheet and some of its rows.',
  names: { field: 'id', a: 'sheet' },
  request: z.object({ id, start: page.start, limit: page.limit, switchedAs }),
  answer: z.object({ file: sheet, rows: z.array(cells) }),
  refusals: ['not_found'],
});

export const reviseFile = call({
  path: '/api/emedia/reviseFile',
  summary:
    'Reads the uploaded file again with another dialect. Refused once a batch uses the sheet.',
  names: { field: 'id', a: 'sheet' },
  request: z.object({ id, ...chosenDialect, switchedAs }),
  answer: z.object({ file: sheet }),
  refusals: ['not_found', 'not_now', 'unreadable_file'],
});

/** How a person arranged the columns of a grid, by the ids of the columns. */
export const sheetView = z
  .strictObject({
    hidden: z.array(line(80)).check(z.maxLength(2_000)),
    /** From left to right; missing columns come last. */
    order: z.array(line(80)).check(z.maxLength(2_000)),
    // Counted first: reading tens of thousands of wrong keys takes a tenth of a second.
    widths: z.pipe(
      z
        .record(z.string(), z.unknown(), 'Must be an object.')
        .check(z.refine((widths) => Object.keys(widths).length <= 2_000, 'At most 2,000 columns.')),
      z.record(line(80), z.int().check(z.minimum(1), z.maximum(5_000))),
    ),
    isWrapped: z.boolean('Must be true or false.'),
    isFrozen: z.boolean('Must be true or false.'),
  })
  .check(z.refine((view) => JSON.stringify(view).length <= 64 * 1024, 'At most 65536 bytes.'));
export type SheetView = z.infer<typeof sheetView>;

export const getSheetView = call({
  path: '/api/emedia/getSheetView',
  summary: 'How the columns of a sheet are arranged, or null if they never were.',
  names: { field: 'id', a: 'sheet' },
  request: z.object({ id, switchedAs }),
  answer: z.object({ view: z.nullable(sheetView) }),
  refusals: ['not_found'],
});

export const changeSheetView = call({
  path: '/api/emedia/changeSheetView',
  summary:
    'Stores how the columns of a sheet are arranged: hidden, order, widths, wrapped, frozen.',
  names: { field: 'id', a: 'sheet' },
  request: z.object({ id, view: sheetView, switchedAs }),
  refusals: ['not_found'],
});

export const downloadUploadedCsv = call({
  method: 'GET',
  path: '/api/emedia/downloadUploadedCsv/{id}',
  summary:
    'The uploaded file, byte for byte, or with `repaired` its table as CSV in UTF-8, with every repair.',
  names: { field: 'id', a: 'sheet' },
  accepts: 'nothing',
  sends: 'file',
  fileTypes: ['text/csv', workbookType, jsonLinesType],
  request: z.object({
    id,
    /** The repaired table instead of the file. */
    repaired: z.optional(z.enum(['true'], 'Must be true.')),
    switchedAs: z.optional(id),
  }),
  answer: z.unknown(),
  refusals: ['not_found'],
});
