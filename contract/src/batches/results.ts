import * as z from 'zod/mini';
import { maximumOutputs } from '../answers/columns.ts';
import { call } from '../endpoint.ts';
import { id, prose, rowNumber, switchedAs, withoutControls } from '../fields.ts';
import { judgements } from '../rows.ts';
import { jsonLinesType, workbookType } from '../sheets.ts';
import { batch } from './batches.ts';

/** Characters of the note on an answer. */
export const maximumNote = 2_000;

/** Characters of a corrected text. Nearly all answers are shorter. */
const maximumCorrection = 100_000;

/** Answers that one call judges. */
export const mostJudged = 1_000;

export const judgeAnswers = call({
  path: '/api/emedia/judgeAnswers',
  summary:
    'Judges answers right, wrong or for later, corrects one, or adds a note. Rows are numbered from 0. Absent fields stay as they are.',
  names: { field: 'id', a: 'batch' },
  request: z.object({
    id,
    /** Rows of the sheet, from 0. Those without an answer are left out. */
    rows: z
      .array(rowNumber, 'Must be a list.')
      .check(z.minLength(1, 'Choose a row.'), z.maxLength(mostJudged, 'At most 1,000 rows.')),
    judgement: z.optional(z.nullable(z.enum(judgements, `Choose ${judgements.join(', ')}.`))),
    note: z.optional(z.nullable(prose(maximumNote))),
    /** Replaces the answer columns of one row; null restores the answer of the model. */
    correction: z.optional(
      z.nullable(
        z
          .array(prose(maximumCorrection, withoutControls), 'Must be a list.')
          .check(
            z.minLength(1, 'Fill in each column.'),
            z.maxLength(maximumOutputs, `At most ${maximumOutputs} columns.`),
          ),
      ),
    ),
    switchedAs,
  }),
  answer: z.object({
    batch,
    rows: z.array(
      z.object({
        row: z.int(),
        judgement: z.nullable(z.enum(judgements)),
        note: z.nullable(z.string()),
        correction: z.nullable(z.string()),
      }),
    ),
    message: z.string(),
  }),
  refusals: ['not_found', 'not_now', 'storage_full'],
});

export const downloadChatGptResponse = call({
  path: '/api/emedia/downloadChatGptResponse',
  summary:
    'The result file: every original column, then the answers. Also while the batch runs. In CSV, a cell that a spreadsheet would run as a formula gets an apostrophe in front; with `unchanged`, only added cells do. A JSON line has `row` (from 1, as on the screen), `columns`, `state` (null for a row outside the batch), `answer`, `problem`, and `values` if the batch has answer columns.',
  body: ['file'],
  names: { field: 'file', a: 'batch' },
  sends: 'file',
  fileTypes: ['text/csv', workbookType, jsonLinesType],
  request: z.object({
    file: id,
    format: z._default(z.enum(['csv', 'xlsx', 'jsonl'], 'Choose csv, xlsx or jsonl.'), 'csv'),
    bom: z._default(z.boolean('Must be true or false.'), false),
    /** Adds a column with the marks of each answer. */
    marks: z._default(z.boolean('Must be true or false.'), false),
    /** Adds what the provider counted for each row. */
    tokens: z._default(z.boolean('Must be true or false.'), false),
    /** CSV only: the uploaded file byte for byte, with cells behind each record. */
    unchanged: z._default(z.boolean('Must be true or false.'), false),
    /** Adds columns with judgement, note and, of corrected rows, the answer of the model. */
    judgements: z._default(z.boolean('Must be true or false.'), false),
    switchedAs,
  }),
  answer: z.unknown(),
  refusals: ['not_found'],
});
