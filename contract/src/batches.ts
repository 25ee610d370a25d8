// size: every call about batches, which share their parts
import * as z from 'zod/mini';
import { outputs } from './answers/columns.ts';
import { tokens } from './answers/tokens.ts';
import type { Endpoint } from './endpoint.ts';
import { count, id, instant, line, page, prose, switchedAs } from './fields.ts';
import { answerMarks } from './marks.ts';
import { maximumPromptLength } from './prompts.ts';
import { judgements, rowSearch } from './rows.ts';
import { sheetFormats } from './sheets.ts';
import { batchActions, batchStates, pauseReasons } from './states.ts';

export const receipt = z.object({
  answered: count,
  failed: count,
  charged: count,
  returned: count,
});

/** How many rows have each mark. */
const eachMark = Object.fromEntries(answerMarks.map((mark) => [mark, count])) as Record<
  (typeof answerMarks)[number],
  typeof count
>;

export const batch = z.object({
  id,
  name: z.string(),
  sheet_id: id,
  state: z.enum(batchStates),
  pause_reason: z.nullable(z.enum(pauseReasons)),
  /** What the provider said, if it is the reason. */
  pause_detail: z.nullable(z.string()),
  rows: count,
  answered: count,
  failed: count,
  /** Rows with at least one mark. */
  marked: count,
  mark_counts: z.object(eachMark),
  rows_per_minute: z.nullable(z.number()),
  seconds_left: z.nullable(z.int()),
  held: count,
  charged: count,
  question: z.string(),
  model: z.string(),
  system: z.nullable(z.string()),
  temperature: z.nullable(z.number()),
  max_tokens: z.nullable(z.int()),
  /** The answer columns: a name, or a name with a type. */
  outputs,
  columns: z.array(z.string()),
  actions: z.array(z.enum(batchActions)),
  /** The name of the admin who started it for the client. */
  started_by: z.nullable(z.string()),
  created_at: instant,
  started_at: z.nullable(instant),
  ended_at: z.nullable(instant),
  receipt: z.nullable(receipt),
  /** Of all its calls; null when the provider counts none. */
  tokens: z.nullable(tokens),
  /** What kind of file its sheet comes from. */
  sheet_format: z.enum(sheetFormats),
  /** What the last complete CSV file had to change; null before the first one. */
  file_changes: z.nullable(
    z.object({
      /** Cells that got an apostrophe, because a spreadsheet would run them as formulas. */
      apostrophes: count,
      /** Rows whose answers have characters that the encoding of the file lacks. */
      replaced: count,
    }),
  ),
  /** How many answers are judged so. */
  judged: z.object({ right: count, wrong: count, later: count }),
});
export type Batch = z.infer<typeof batch>;

/** What the model is asked with. An absent one is the default. */
const modelOptions = {
  model: z.optional(line(120)),
  system: z.optional(prose(20_000)),
  temperature: z.optional(
    z.number('Must be a number.').check(z.gte(0, 'At least 0.'), z.lte(2, 'At most 2.')),
  ),
  max_tokens: z.optional(
    z
      .int('Must be a whole number.')
      .check(z.gte(1, 'At least 1.'), z.lte(1_000_000, 'At most 1,000,000.')),
  ),
  outputs: z.optional(outputs),
};

const rowsByKind = ['all', 'failed', 'not_run', 'marked'] as const;

/** Which rows of a batch run again. */
export const rowsAgain = z.union(
  [
    z.enum(rowsByKind),
    z.array(z.int().check(z.nonnegative())).check(z.maxLength(10_000)),
    z.strictObject(rowSearch),
  ],
  { error: `Choose ${rowsByKind.join(', ')}, list at most 10,000 rows, or search for them.` },
);
export type RowsAgain = z.infer<typeof rowsAgain>;

/** Strict, so that a misspelt or unsupported option is refused instead of ignored. */
export const askQuery = z.strictObject({
  file: z.optional(id),
  preview: z.optional(
    z.int('Must be a whole number.').check(z.gte(1, 'At least 1.'), z.lte(5, 'At most 5.')),
  ),
  quote: z.optional(z.boolean('Must be true or false.')),
  start: z.optional(z.boolean('Must be true or false.')),
  /** Starts even with fewer submissions than rows; the batch pauses when they are used up. */
  partial: z.optional(z.boolean('Must be true or false.')),
  ...modelOptions,
  /** Rows of the sheet, from 0. */
  rows: z.optional(
    z
      .array(z.int('Must be a whole number.').check(z.nonnegative()), 'Must be a list.')
      .check(z.maxLength(10_000, 'At most 10,000 rows.')),
  ),
  limit: z.optional(z.int('Must be a whole number.').check(z.gte(1, 'At least 1.'))),
  /** Runs rows of an earlier batch of this sheet again, as a new batch. */
  again: z.optional(
    z.strictObject(
      {
        batch: id,
        rows: rowsAgain,
      },
      'Must be an object.',
    ),
  ),
});

export const askChatGpt = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/askChatGpt',
  summary: 'Answers a single prompt, or with a file previews a few rows, quotes or starts a batch.',
  who: 'verified',
  actAs: 'switchedAs',
  body: ['question', 'query', 'switchedAs', 'questionWithVariable'],
  idempotent: 'outside',
  request: z.object({
    question: z.optional(prose(maximumPromptLength)),
    questionWithVariable: z.optional(prose(maximumPromptLength)),
    query: z.optional(askQuery),
    switchedAs,
  }),
  answer: z.object({
    answer: z.optional(z.string()),
    answers: z.optional(
      z.array(
        z.object({
          row: z.int(),
          prompt: z.string(),
          answer: z.nullable(z.string()),
          problem: z.nullable(z.string()),
        }),
      ),
    ),
    quote: z.optional(
      z.object({
        rows: count,
        blank: count,
        /** Rows whose prompt would be longer than the limit. They fail uncharged. */
        too_long: count,
        /** Rows in which some used columns are empty. They are asked and charged. */
        incomplete: count,
        duplicates: count,
        /** Rows that a preview has already answered. */
        answered: count,
        needed: count,
        available: count,
        /** What the monthly limit allows until it resets; null without a limit. */
        monthly: z.nullable(z.object({ limit: count, left: count, resets_at: instant })),
        /** How many rows the available submissions cover, within the monthly limit. */
        covered: count,
        /** Why nothing can start, whatever it costs. */
        blocked: z.nullable(z.string()),
        unused_columns: z.array(z.string()),
        /** Of the rows that are left, input and output together, by the rows tried. Null: none was counted. */
        tokens: z.nullable(z.object({ low: count, expected: count, high: count })),
        /** The first 100 of those answers. */
        previewed: z.array(z.object({ row: z.int(), answer: z.string() })),
      }),
    ),
    batch: z.optional(batch),
    creditsAvailable: z.optional(count),
  }),
  refusals: ['not_found', 'not_now', 'insufficient_credits', 'model_failed'],
} as const satisfies Endpoint;

export const batchOrders = ['newest', 'oldest', 'name', 'failed', 'charged'] as const;
export type BatchOrder = (typeof batchOrders)[number];
const eachState = Object.fromEntries(batchStates.map((state) => [state, count])) as Record<
  (typeof batchStates)[number],
  typeof count
>;

export const getProcessedFiles = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/getProcessedFiles',
  summary: 'The batches, newest first unless `sort` says otherwise.',
  who: 'verified',
  actAs: 'switchedAs',
  body: ['start', 'limit', 'switchedAs', 'search'],
  request: z.object({
    ...page,
    state: z.optional(z.enum(batchStates)),
    sort: z._default(z.enum(batchOrders), 'newest'),
    switchedAs,
  }),
  answer: z.object({
    files: z.array(batch),
    total: count,
    /** How many the search finds in each state. */
    counts: z.object(eachState),
  }),
  refusals: [],
} as const satisfies Endpoint;

const ofOneBatch = z.object({ id, switchedAs });

export const getBatch = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/getBatch',
  summary: 'One batch.',
  who: 'verified',
  actAs: 'switchedAs',
  names: { field: 'id', a: 'batch' },
  request: ofOneBatch,
  answer: z.object({ batch }),
  refusals: ['not_found'],
} as const satisfies Endpoint;

export const playOrPause = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/playOrPause',
  summary:
    'Starts, resumes or pauses a batch. Sets a target state, so repeating it changes nothing.',
  who: 'verified',
  actAs: 'switchedAs',
  body: ['id', 'status'],
  names: { field: 'id', a: 'batch' },
  request: z.object({ id, status: z.enum(['play', 'pause'], 'Choose play or pause.'), switchedAs }),
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now', 'insufficient_credits'],
} as const satisfies Endpoint;

export const stopFileProcessing = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/stopFileProcessing',
  summary:
    'Stops a batch: sends no more rows, stores those in flight and returns the unused submissions.',
  who: 'verified',
  actAs: 'switchedAs',
  body: ['id'],
  names: { field: 'id', a: 'batch' },
  request: ofOneBatch,
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now'],
} as const satisfies Endpoint;

export const retryFailed = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/retryFailed',
  summary: 'Runs the failed rows of an ended batch again.',
  who: 'verified',
  actAs: 'switchedAs',
  names: { field: 'id', a: 'batch' },
  request: ofOneBatch,
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now', 'insufficient_credits'],
} as const satisfies Endpoint;

export const changeBatchOptions = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/changeBatchOptions',
  summary:
    'Changes the model and its options for the rows without an answer, of a paused batch or one with failed rows.',
  who: 'verified',
  actAs: 'switchedAs',
  names: { field: 'id', a: 'batch' },
  request: z.object({ id, ...modelOptions, switchedAs }),
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now', 'model_failed'],
} as const satisfies Endpoint;

export const renameBatch = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/renameBatch',
  summary: 'Gives a batch another name.',
  who: 'verified',
  actAs: 'switchedAs',
  names: { field: 'id', a: 'batch' },
  request: z.object({
    id,
    name: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Give it a name.'),
        z.maxLength(200, 'At most 200 characters.'),
      ),
    switchedAs,
  }),
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found'],
} as const satisfies Endpoint;

export const judgeAnswers = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/judgeAnswers',
  summary:
    'Judges answers right, wrong or for later, corrects one, or adds a note. An absent field stays.',
  who: 'verified',
  actAs: 'switchedAs',
  names: { field: 'id', a: 'batch' },
  request: z.object({
    id,
    /** Rows of the sheet, from 0. Those without an answer are left out. */
    rows: z
      .array(z.int('Must be a whole number.').check(z.nonnegative()), 'Must be a list.')
      .check(z.minLength(1, 'Choose a row.'), z.maxLength(1_000, 'At most 1,000 rows.')),
    judgement: z.optional(z.nullable(z.enum(judgements, `Choose ${judgements.join(', ')}.`))),
    note: z.optional(z.nullable(prose(2_000))),
    /** What stands in the answer columns instead, for one row; null restores the answer of the model. */
    correction: z.optional(
      z.nullable(
        z
          .array(prose(20_000), 'Must be a list.')
          .check(z.minLength(1, 'Fill in each column.'), z.maxLength(20, 'At most 20 columns.')),
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
} as const satisfies Endpoint;

export const deleteBatch = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/deleteBatch',
  summary: 'Deletes an ended batch with its prompts and answers; its ledger entries stay.',
  who: 'verified',
  actAs: 'switchedAs',
  names: { field: 'id', a: 'batch' },
  request: ofOneBatch,
  answer: z.object({ message: z.string() }),
  refusals: ['not_found', 'not_now'],
} as const satisfies Endpoint;

export const downloadChatGptResponse = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/downloadChatGptResponse',
  summary:
    'The result file: every original column unchanged, then the answers. Also while the batch runs.',
  who: 'verified',
  actAs: 'switchedAs',
  body: ['file'],
  names: { field: 'file', a: 'batch' },
  sends: 'file',
  fileTypes: [
    'text/csv',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/x-ndjson',
  ],
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
} as const satisfies Endpoint;

export const events = {
  host: 'main',
  method: 'GET',
  path: '/api/emedia/events',
  summary: 'Progress of the batches and the balance as a stream of events.',
  who: 'verified',
  actAs: 'switchedAs',
  accepts: 'nothing',
  sends: 'events',
  request: z.object({ switchedAs: z.optional(id) }),
  answer: z.unknown(),
  refusals: [],
} as const satisfies Endpoint;

/** The events of the progress stream, as JSON. */
export const progressEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('batch'), batch }),
  z.object({ kind: z.literal('credits'), user_id: id, creditsAvailable: count }),
  z.object({ kind: z.literal('batch_deleted'), id }),
]);
export type ProgressEvent = z.infer<typeof progressEvent>;
