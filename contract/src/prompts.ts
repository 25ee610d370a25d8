import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { count, id, instant, line, nothing, page, prose, switchedAs } from './fields.ts';

/**
 * Prompts with `{{column}}` variables. The browser fills them in to show prompts, the server to send them. A column wins over
 * a saved variable of the same name, and variables in a filled-in value are not replaced again.
 */
const placeholder = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g;

export function variablesIn(template: string): string[] {
  return [...new Set([...template.matchAll(placeholder)].map(([, name = '']) => name))];
}

interface Values {
  columns: readonly string[];
  variables?: Readonly<Record<string, string>>;
}

/** The names in a template that are neither columns nor saved variables. */
export function missingIn(template: string, { columns, variables = {} }: Values): string[] {
  return variablesIn(template).filter(
    (name) => columnOf(name, columns) < 0 && !Object.hasOwn(variables, name),
  );
}

export function unusedColumns(template: string, columns: readonly string[]): string[] {
  const used = new Set(variablesIn(template).map((name) => columnOf(name, columns)));
  return columns.filter((_, index) => !used.has(index));
}

/** Parses the template once, so that filling it in for a million rows only joins strings. */
export function compileTemplate(
  template: string,
  { columns, variables = {} }: Values,
): (cells: readonly string[]) => string {
  const parts: (string | number)[] = [];
  let end = 0;
  for (const match of template.matchAll(placeholder)) {
    const [whole, name = ''] = match;
    const column = columnOf(name, columns);
    const value =
      column >= 0 ? column : Object.hasOwn(variables, name) ? (variables[name] ?? '') : whole;
    parts.push(template.slice(end, match.index), value);
    end = match.index + whole.length;
  }
  parts.push(template.slice(end));
  return (cells) =>
    parts.map((part) => (typeof part === 'number' ? (cells[part] ?? '') : part)).join('');
}

/** By exact name, otherwise ignoring case. */
function columnOf(name: string, columns: readonly string[]): number {
  const exact = columns.indexOf(name);
  return exact >= 0
    ? exact
    : columns.findIndex((column) => column.toLowerCase() === name.toLowerCase());
}

export const maximumPromptLength = 100_000;

export const chatModel = z.object({
  id: z.string(),
  submissions_per_row: count,
  is_demo: z.boolean(),
});
export type ChatModelChoice = z.infer<typeof chatModel>;

const promptRecord = z.object({
  id,
  question: z.string(),
  asked_at: instant,
  sheet: z.nullable(z.string()),
  rows: count,
});

const variableName = line(80).check(
  z.refine((name: string) => !/[{}]/.test(name), 'Must not contain { or }.'),
);
const variable = z.object({ name: z.string(), value: z.string() });

export const getModels = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/getModels',
  summary: 'The available models, the default first.',
  who: 'verified',
  actAs: 'self',
  request: nothing,
  answer: z.object({ models: z.array(chatModel) }),
  refusals: [],
} as const satisfies Endpoint;

export const recentQuestions = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/recentQuestions',
  summary: 'The last ten distinct prompts.',
  who: 'verified',
  actAs: 'switchedAs',
  request: z.object({ switchedAs }),
  answer: z.object({ questions: z.array(promptRecord) }),
  refusals: [],
} as const satisfies Endpoint;

export const getQuestionsAsked = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/getQuestionsAsked',
  summary: 'All prompts with date, sheet and rows.',
  who: 'verified',
  actAs: 'switchedAs',
  request: z.object({ ...page, switchedAs }),
  answer: z.object({ questions: z.array(promptRecord), total: count }),
  refusals: [],
} as const satisfies Endpoint;

export const saveVariable = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/saveVariable',
  summary: 'Saves a variable for use as {{name}} beside the columns of a sheet.',
  who: 'verified',
  actAs: 'switchedAs',
  request: z.object({
    /** An empty value removes the variable. */
    variable: z.object({ name: variableName, value: prose(20_000) }, 'Must be an object.'),
    switchedAs,
  }),
  answer: z.object({ variable }),
  refusals: ['not_now'],
} as const satisfies Endpoint;

export const getVariables = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/getVariables',
  summary: 'The saved variables.',
  who: 'verified',
  actAs: 'switchedAs',
  request: z.object({ switchedAs }),
  answer: z.object({ variables: z.array(variable) }),
  refusals: [],
} as const satisfies Endpoint;
