import * as z from 'zod/mini';
import { tokens } from '../answers/tokens.ts';
import { call } from '../endpoint.ts';
import {
  count,
  debt,
  givenInstant,
  id,
  instant,
  page,
  prose,
  rowNumber,
  switchedAs,
} from '../fields.ts';
import { answerMarks } from '../marks.ts';
import { optionFields, optionsOfBatch } from '../models/model-options.ts';
import { maximumPromptLength } from '../prompts.ts';
import { rowSearch } from '../rows.ts';
import { sheetFormats } from '../sheets.ts';
import { batchActions, batchStates, pauseReasons } from '../states.ts';

export const receipt = z.object({
  answered: count,
  failed: count,
  skipped: count,
  charged: count,
  returned: count,
});

/** How many rows have each mark. */
const eachMark = Object.fromEntries(answerMarks.map((mark) => [mark, count])) as Record<
  (typeof answerMarks)[number],
  typeof count
>;

/** This many `tokens` of prompt and answer cost `submissions`, rounded up. Null: per row. */
const priceBySize = z.object({ tokens: count, submissions: count });

/** By the rows tried. */
const estimate = z.object({ low: count, expected: count, high: count });
export type Estimate = z.infer<typeof estimate>;

export const batch = z.object({
  id,
  /** The owner. */
  user_id: id,
  name: z.string(),
  sheet_id: id,
  state: z.enum(batchStates),
  pause_reason: z.nullable(z.enum(pauseReasons)),
  /** What the provider said, if it is the reason. */
  pause_detail: z.nullable(z.string()),
  /** A running batch sends nothing until then, as its provider asked. Absent: below a minute. */
  waits_until: z.optional(instant),
  rows: count,
  answered: count,
  failed: count,
  /** Rows whose used columns are all empty. They are not asked and not charged. */
  skipped: count,
  /** Rows with at least one mark. */
  marked: count,
  mark_counts: z.object(eachMark),
  rows_per_minute: z.nullable(z.number()),
  /** How many more rows a running batch can answer, if its submissions do not cover them all. */
  covered: z.nullable(count),
  /** Until every row has a result, or the submissions run out. */
  seconds_left: z.nullable(z.int()),
  held: count,
  /**
   * How many more the rows that are left need, at their highest price. Only a batch that has not
   * started counts empty and too long rows too.
   */
  needed: count,
  charged: count,
  /** The deadline of an economy batch, at half the price. Null: as fast as possible. */
  finish_by: z.nullable(instant),
  /** What an answered row costs; the most, when it costs by size. */
  price: count,
  price_by_size: z.nullable(priceBySize),
  question: z.string(),
  ...optionsOfBatch,
  columns: z.array(z.string()),
  actions: z.array(z.enum(batchActions)),
  /** The name of the admin who started it for the client. */
  started_by: z.nullable(z.string()),
  created_at: instant,
  started_at: z.nullable(instant),
  ended_at: z.nullable(instant),
  /** From its start to its end, without the time between an end and a retry. */
  run_seconds: z.nullable(count),
  receipt: z.nullable(receipt),
  /** Tokens of all its calls; null when the provider counts none. */
  tokens: z.nullable(tokens),
  /**
   * What the quote expected at the start, with what the rows tried had taken; `seconds` are of the
   * run alone. Null: no row was tried.
   */
  estimate: z.nullable(
    z.object({
      submissions: z.nullable(estimate),
      tokens: z.nullable(estimate),
      seconds: z.nullable(estimate),
    }),
  ),
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
  /** How many answers have each judgement. */
  judged: z.object({ right: count, wrong: count, later: count }),
  /** Grows with each call that judges, notes or corrects answers of it. */
  judgement_version: count,
});
export type Batch = z.infer<typeof batch>;

const rowsByKind = ['all', 'failed', 'not_run', 'marked'] as const;

/** Rows that a request lists; a search finds any number. */
export const maximumListedRows = 10_000;

const rowNumbers = z.array(rowNumber).check(z.maxLength(maximumListedRows));

/** Which rows of a batch run again. */
export const rowsAgain = z.union(
  [
    z.enum(rowsByKind),
    rowNumbers,
    /** All that a search finds, without these. */
    z.strictObject({ ...rowSearch, except: z.optional(rowNumbers) }),
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
  /**
   * What a quote said is needed. A prompt, preview or start that needs more by now is refused, and
   * nothing is charged.
   */
  max_submissions: z.optional(z.int('Must be a whole number.').check(z.gte(0, 'At least 0.'))),
  ...optionFields,
  /** Rows of the sheet, from 0. */
  rows: z.optional(
    z
      .array(rowNumber, 'Must be a list.')
      .check(z.maxLength(maximumListedRows, 'At most 10,000 rows.')),
  ),
  limit: z.optional(z.int('Must be a whole number.').check(z.gte(1, 'At least 1.'))),
  /** For half the price, rounded up per row: answers by then, in 4 hours to 7 days. */
  finish_by: z.optional(givenInstant),
  /** Runs rows of an earlier batch of this sheet again, as a new batch: with `rows`, only these. */
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

type AskQuery = z.input<typeof askQuery>;

/** A text, such as the prompt once more, has no options. JSON as text is refused. */
const queryOrText = z.pipe(
  z.transform((given: AskQuery): AskQuery | undefined => {
    const sent: unknown = given;
    return typeof sent === 'string' && !/^\s*[{[]/.test(sent) ? undefined : given;
  }),
  z.optional(askQuery),
);

export const askChatGpt = call({
  path: '/api/emedia/askChatGpt',
  summary:
    'Answers a single prompt, or with a file previews a few rows, quotes or starts a batch. Rows are numbered from 0.',
  body: ['question', 'query', 'switchedAs', 'questionWithVariable'],
  idempotent: 'outside',
  request: z.object({
    question: z.optional(prose(maximumPromptLength)),
    questionWithVariable: z.optional(prose(maximumPromptLength)),
    query: z.optional(queryOrText),
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
        /** Rows whose used columns are all empty. They are skipped. */
        blank: count,
        /** Rows whose prompt would be longer than the limit. They fail uncharged. */
        too_long: count,
        /** Rows in which some used columns are empty. They are asked and charged. */
        incomplete: count,
        duplicates: count,
        /** Rows that a preview has already answered. */
        answered: count,
        /** How many tried rows cost again, and the tried rows left out (the first 100). */
        paid_again: z.nullable(z.object({ rows: count, left_out: z.array(z.int()) })),
        price_by_size: z.nullable(priceBySize),
        /** By size: the most. What the answers do not cost returns as they arrive. */
        needed: count,
        /** The most that a row tried before the start may cost, wherever in the sheet it is. */
        per_tried_row: count,
        /** By size: the likely cost, by the rows tried. Null: another price, or no row tried. */
        expected: z.nullable(estimate),
        /** What it needs, now and by a deadline. Null: no flex tier, or no half of its price. */
        economy: z.nullable(z.object({ now: count, by_deadline: count })),
        available: count,
        debt,
        /** What the monthly limit allows until it resets; null without a limit. */
        monthly: z.nullable(z.object({ limit: count, left: count, resets_at: instant })),
        /** How many rows the available submissions cover, within the monthly limit. */
        covered: count,
        /** Why nothing can start, whatever it costs. */
        blocked: z.nullable(z.string()),
        unused_columns: z.array(z.string()),
        /** Estimated tokens of the remaining rows, from the rows tried. Null: none counted. */
        tokens: z.nullable(estimate),
        /** How long these rows take while no one else asks the provider. Null: no row was timed. */
        seconds: z.nullable(estimate),
        /** The first 100 rows of the sheet that run; null when all do, or the first ones. */
        selected: z.nullable(z.array(z.int())),
        /** The first 100 of those answers. */
        previewed: z.array(z.object({ row: z.int(), answer: z.string() })),
      }),
    ),
    batch: z.optional(batch),
    creditsAvailable: z.optional(count),
  }),
  refusals: ['not_found', 'not_now', 'insufficient_credits', 'model_failed'],
});

export const batchOrders = ['newest', 'oldest', 'name', 'failed', 'charged'] as const;
export type BatchOrder = (typeof batchOrders)[number];
const eachState = Object.fromEntries(batchStates.map((state) => [state, count])) as Record<
  (typeof batchStates)[number],
  typeof count
>;

export const getProcessedFiles = call({
  path: '/api/emedia/getProcessedFiles',
  summary: 'The batches, newest first unless `sort` says otherwise.',
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
    /** How many of the newest batches were searched by name and by prompt; absent when all were. */
    searched: z.optional(z.object({ names: count, prompts: count })),
  }),
});

export const ofOneBatch = z.object({ id, switchedAs });

export const getBatch = call({
  path: '/api/emedia/getBatch',
  summary: 'One batch.',
  names: { field: 'id', a: 'batch' },
  request: ofOneBatch,
  answer: z.object({ batch }),
  refusals: ['not_found'],
});
