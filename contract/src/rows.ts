import * as z from 'zod/mini';
import { tokens } from './answers/tokens.ts';
import { call } from './endpoint.ts';
import { count, id, optionalLine, page, rowNumber, switchedAs } from './fields.ts';
import { answerMarks } from './marks.ts';
import { rowStates } from './states.ts';

export const stateFilters = ['all', 'waiting', ...rowStates] as const;
export type StateFilter = (typeof stateFilters)[number];
/** `marked` finds rows with any mark. */
export const rowFilters = [...stateFilters, 'marked', ...answerMarks] as const;
export type RowFilter = (typeof rowFilters)[number];

/** What a person thinks of an answer. */
export const judgements = ['right', 'wrong', 'later'] as const;
export type Judgement = (typeof judgements)[number];

/** A column of the sheet or of the answers by position from 0, or a fact about the row. */
const gridColumn = z
  .string('Must be text.')
  .check(
    z.regex(
      /^(?:row|state|problem|marks|judgement|note|correction|(?:sheet|answer) \d{1,4})$/,
      'Choose row, state, problem, marks, judgement, note, correction, or a column such as "sheet 0" or "answer 0".',
    ),
  );

export const rowTests = ['contains', 'equals', 'empty', 'filled'] as const;
const rowCondition = z.strictObject({
  column: gridColumn,
  is: z.enum(rowTests, `Choose ${rowTests.join(', ')}.`),
  /** What the cell contains, in any case, or equals. */
  value: z._default(optionalLine(500), ''),
});
export type RowCondition = z.infer<typeof rowCondition>;

export const rowOrders = ['ascending', 'descending', 'shortest', 'longest'] as const;
export const rowSort = z.strictObject({
  column: gridColumn,
  order: z._default(z.enum(rowOrders, `Choose ${rowOrders.join(', ')}.`), 'ascending'),
});
export type RowSort = z.infer<typeof rowSort>;

/** Which rows of a batch: those that all of this finds. */
export const rowSearch = {
  filter: z._default(z.enum(rowFilters, `Choose ${rowFilters.join(', ')}.`), 'all'),
  /** In the first 1,000 characters of any cell, answer or problem. */
  search: page.search,
  conditions: z._default(
    z.array(rowCondition, 'Must be a list.').check(z.maxLength(8, 'At most 8 conditions.')),
    [],
  ),
};
export type RowSearch = z.infer<ReturnType<typeof z.object<typeof rowSearch>>>;

/** A column with more different values is not counted. */
export const maximumCountedValues = 50;
/** The start of a longer value is counted. */
export const countedCharacters = 200;

export const getRows = call({
  path: '/api/emedia/getRows',
  summary:
    'Rows of a batch with their results, searched, filtered and sorted by any column. Rows and columns are numbered from 0; a condition on `row` counts from 1, as the screen does.',
  names: { field: 'id', a: 'batch' },
  request: z.object({
    ...page,
    id,
    ...rowSearch,
    sort: z.optional(rowSort),
    /** Counts the values of this column in the rows that are found. */
    count: z.optional(gridColumn),
    /** Starts the list with this row of the sheet, from 0; `not_found` if the list lacks it. */
    row: z.optional(rowNumber),
    switchedAs,
  }),
  answer: z.object({
    /** The position of the first row in the list. */
    start: z.optional(count),
    rows: z.array(
      z.object({
        /** From 0. */
        row: z.int(),
        cells: z.array(z.string()),
        prompt: z.string(),
        state: z.enum(['waiting', ...rowStates]),
        /** Of a failed row: what the model said, if it cannot be used. */
        answer: z.nullable(z.string()),
        problem: z.nullable(z.string()),
        judgement: z.nullable(z.enum(judgements)),
        note: z.nullable(z.string()),
        /** What a person put in the place of the answer. */
        correction: z.nullable(z.string()),
        marks: z.array(z.enum(answerMarks)),
        /** Why the row failed before it was retried, unless it is answered now. */
        earlier_problem: z.nullable(z.string()),
        /** Of all calls for it; null when the provider counts none. */
        tokens: z.nullable(tokens),
        /** The cost of an answer, else null. By size without `tokens`, its length estimates it. */
        charge: z.nullable(count),
        /** Who gave the answer: the model and its provider. */
        answered_by: z.nullable(z.string()),
      }),
    ),
    total: count,
    /** Most frequent first; null for a column with more than 50 different values. */
    values: z.optional(z.nullable(z.array(z.object({ value: z.string(), rows: count })))),
  }),
  refusals: ['not_found'],
});
