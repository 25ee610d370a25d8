import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { count, id, page, switchedAs } from './fields.ts';
import { answerMarks } from './marks.ts';
import { rowStates } from './states.ts';

export const stateFilters = ['all', 'waiting', ...rowStates] as const;
export type StateFilter = (typeof stateFilters)[number];
/** `marked` finds rows with any mark. */
export const rowFilters = [...stateFilters, 'marked', ...answerMarks] as const;
export type RowFilter = (typeof rowFilters)[number];

export const getRows = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/getRows',
  summary: 'Rows of a batch with their results.',
  who: 'verified',
  actAs: 'switchedAs',
  names: { field: 'id', a: 'batch' },
  request: z.object({
    ...page,
    id,
    filter: z._default(z.enum(rowFilters, `Choose ${rowFilters.join(', ')}.`), 'all'),
    /** Starts the list of all rows with this row of the sheet, from 0. */
    row: z.optional(z.int('Must be a whole number.').check(z.nonnegative())),
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
        marks: z.array(z.enum(answerMarks)),
        /** Why the row failed before it was retried, unless it is answered now. */
        earlier_problem: z.nullable(z.string()),
      }),
    ),
    total: count,
  }),
  refusals: ['not_found'],
} as const satisfies Endpoint;
