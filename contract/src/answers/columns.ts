import * as z from 'zod/mini';
import { line, optionalLine } from '../fields.ts';

/** What a column of answers holds: `boolean` is yes or no, `choices` several items of a list. */
export const answerTypes = [
  'text',
  'integer',
  'number',
  'boolean',
  'choice',
  'choices',
  'date',
] as const;
export type AnswerType = (typeof answerTypes)[number];

/** The types that need a list of options. */
export const needsOptions = (type: AnswerType) => type === 'choice' || type === 'choices';

const maximumOptions = 50;

const options = z.array(line(80), 'Must be a list.').check(
  // Not by its length: the union below would hide that reason behind its own.
  z.refine((list) => list.length <= maximumOptions, `At most ${maximumOptions} options.`),
  z.refine(hasNoDuplicates, 'List each option once.'),
);

export const answerColumn = z
  .strictObject({
    name: line(80),
    type: z.enum(answerTypes),
    /** Tells the model what belongs in the column. */
    description: z.optional(optionalLine(500)),
    options: z.optional(options),
    may_be_empty: z.optional(z.boolean('Must be true or false.')),
  })
  .check(
    z.refine(({ type, options }) => !needsOptions(type) || (options?.length ?? 0) > 0, {
      error: 'List at least one option.',
      path: ['options'],
    }),
  );
export type AnswerColumn = z.infer<typeof answerColumn>;

/** A bare name is a text that may be empty. */
export type Output = string | AnswerColumn;

/** Columns of an answer. */
export const maximumOutputs = 20;

export const outputs = z
  .array(
    z.union([line(80), answerColumn], 'Must be a name, or a column with a name and a type.'),
    'Must be a list.',
  )
  .check(
    z.maxLength(maximumOutputs, `At most ${maximumOutputs} columns.`),
    z.refine((columns) => hasNoDuplicates(outputNames(columns)), 'Each column needs its own name.'),
  );

export function outputNames(columns: readonly Output[]): string[] {
  return columns.map((column) => (typeof column === 'string' ? column : column.name));
}

export function asColumn(column: Output): AnswerColumn {
  return typeof column === 'string' ? { name: column, type: 'text', may_be_empty: true } : column;
}

function hasNoDuplicates(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
