import * as z from 'zod/mini';
import { call } from './endpoint.ts';
import {
  count,
  id,
  instant,
  line,
  longestPage,
  normalised,
  prose,
  switchedAs,
  withoutInvisible,
} from './fields.ts';

/**
 * Prompts with `{{column}}` variables. The browser fills them in to show prompts, the server to
 * send them. A column wins over a saved variable of the same name, and variables in a filled-in
 * value are not replaced again.
 * The expression is linear: spaces around a name belong to the match and are trimmed afterwards.
 */
const placeholder = /\{\{([^{}]+)\}\}/g;

function placeholdersIn(template: string) {
  return [...template.matchAll(placeholder)]
    .map(({ 0: whole, 1: name = '', index }) => ({ name: normalised(name).trim(), whole, index }))
    .filter(({ name }) => name !== '');
}

export function variablesIn(template: string): string[] {
  return [...new Set(placeholdersIn(template).map(({ name }) => name))];
}

interface Values {
  columns: readonly string[];
  variables?: Readonly<Record<string, string>>;
}

/** The names that no column has, whatever a reader does not see in them. */
export function namesBeside(columns: readonly string[], names: readonly string[]): string[] {
  const columnOf = finderOf(columns);
  return names.filter((name) => columnOf(name) < 0);
}

/** The names in a template that are neither columns nor saved variables, or have braces. */
export function missingIn(template: string, { columns, variables = {} }: Values): string[] {
  const unknown = namesBeside(columns, variablesIn(template)).filter(
    (name) => !Object.hasOwn(variables, name),
  );
  // Such a column is never filled in: it would be sent by its name.
  const withBraces = columns.filter(
    (name) => /[{}]/.test(name) && template.includes(`{{${name}}}`),
  );
  return [...new Set([...unknown, ...withBraces])];
}

export function unusedColumns(template: string, columns: readonly string[]): string[] {
  const used = new Set(variablesIn(template).map(finderOf(columns)));
  return columns.filter((_, index) => !used.has(index));
}

/** A template with resolved variables. Facts about a row come from its cells, without a prompt. */
export interface PromptTemplate {
  /** The indices of the columns it uses. */
  usedColumns: readonly number[];
  /** What is the same in every row, saved variables included. */
  fixedParts: readonly string[];
  /** Characters of the filled-in prompt, computed from its parts. */
  lengthFor(cells: readonly { length: number }[]): number;
  /** Nothing to ask: every used column is empty, or the whole row, or the prompt itself. */
  isBlankFor(cells: readonly string[]): boolean;
  /** Null when the prompt would have more than `maximumLength` characters. */
  fill(cells: readonly string[], maximumLength: number): string | null;
}

/** Parses the template once, so that filling it in for a million rows only joins strings. */
export function compileTemplate(
  template: string,
  { columns, variables = {} }: Values,
): PromptTemplate {
  const columnOf = finderOf(columns);
  const parts: (string | number)[] = [];
  const uses = new Map<number, number>();
  let end = 0;
  for (const { name, whole, index } of placeholdersIn(template)) {
    const column = columnOf(name);
    parts.push(template.slice(end, index));
    if (column >= 0) {
      parts.push(column);
      uses.set(column, (uses.get(column) ?? 0) + 1);
    } else {
      parts.push(Object.hasOwn(variables, name) ? (variables[name] ?? '') : whole);
    }
    end = index + whole.length;
  }
  parts.push(template.slice(end));
  const texts = parts.filter((part) => typeof part === 'string');
  const fixedLength = texts.reduce((sum, text) => sum + text.length, 0);
  const isFixedBlank = texts.every(isBlank);
  const usedColumns = [...uses.keys()];

  function lengthFor(cells: readonly { length: number }[]): number {
    let length = fixedLength;
    for (const [column, times] of uses) length += times * (cells[column]?.length ?? 0);
    return length;
  }

  return {
    usedColumns,
    fixedParts: texts,
    lengthFor,
    isBlankFor: (cells) =>
      usedColumns.length > 0
        ? usedColumns.every((column) => isBlank(cells[column] ?? ''))
        : isFixedBlank || (cells.length > 0 && cells.every(isBlank)),
    fill: (cells, maximumLength) =>
      lengthFor(cells) > maximumLength
        ? null
        : parts.map((part) => (typeof part === 'number' ? (cells[part] ?? '') : part)).join(''),
  };
}

/**
 * Finds the index of a column by exact name, otherwise by what a reader sees, or -1. Each name is
 * lower-cased once: otherwise 100 kB of variables and 200 long names took 5 s.
 */
function finderOf(columns: readonly string[]): (name: string) => number {
  const exact = new Map<string, number>();
  const asSeen = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    if (!exact.has(column)) exact.set(column, index);
    const seen = nameAsSeen(column);
    if (!asSeen.has(seen)) asSeen.set(seen, index);
  }
  return (name) => exact.get(name) ?? asSeen.get(nameAsSeen(name)) ?? -1;
}

/** Without what a reader does not see: case, the form of accents, spaces, invisible characters. */
function nameAsSeen(name: string): string {
  return normalised(withoutInvisible(name)).toLowerCase().trim().replace(/\s+/g, ' ');
}

/** Control characters too: old DOS programs end a file with one. */
const seenCharacter = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

function isBlank(text: string): boolean {
  return !seenCharacter.test(text);
}

export const maximumPromptLength = 100_000;

const promptRecord = z.object({
  id,
  question: z.string(),
  asked_at: instant,
  sheet: z.nullable(z.string()),
  rows: count,
});

/** How much of an answer the list of all prompts shows. */
export const listedAnswerLength = 20_000;

const askedPrompt = z.extend(promptRecord, {
  /** Of a long prompt that failed, only the start is kept. */
  is_question_cut: z.boolean(),
  /** Of a prompt without a sheet; its start when it is long. */
  answer: z.nullable(z.string()),
  is_answer_cut: z.boolean(),
  /** Why a prompt without a sheet has no usable answer. */
  problem: z.nullable(z.string()),
  /** Submissions for a prompt without a sheet. */
  charged: z.nullable(count),
});

const variableName = line(80).check(
  z.refine((name: string) => !/[{}]/.test(name), 'Must not contain { or }.'),
);
const variable = z.object({ name: z.string(), value: z.string() });

export const recentQuestions = call({
  path: '/api/emedia/recentQuestions',
  summary: 'The last ten distinct prompts.',
  body: ['switchedAs'],
  request: z.object({ switchedAs }),
  answer: z.object({ questions: z.array(promptRecord) }),
});

export const getQuestionsAsked = call({
  path: '/api/emedia/getQuestionsAsked',
  summary: 'All prompts with date, sheet and rows; those without a sheet with their answer.',
  body: ['switchedAs'],
  request: z.object({ ...longestPage, switchedAs }),
  answer: z.object({
    questions: z.array(askedPrompt),
    total: count,
    /** How many of the newest prompts were searched; absent when all were. */
    searched: z.optional(z.object({ prompts: count })),
  }),
});

export const saveVariable = call({
  path: '/api/emedia/saveVariable',
  summary: 'Saves a variable for use as {{name}} beside the columns of a sheet.',
  body: ['variable'],
  request: z.object({
    /** An empty value removes the variable. */
    variable: z.strictObject({ name: variableName, value: prose(20_000) }, 'Must be an object.'),
    switchedAs,
  }),
  answer: z.object({ variable, message: z.string() }),
  refusals: ['not_now'],
});

export const getVariables = call({
  path: '/api/emedia/getVariables',
  summary: 'The saved variables.',
  body: [],
  request: z.object({ switchedAs }),
  answer: z.object({ variables: z.array(variable) }),
});
