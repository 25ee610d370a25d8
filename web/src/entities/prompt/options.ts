import {
  type AnswerType,
  asColumn,
  type askChatGpt,
  askQuery,
  type Batch,
  type ModelOption,
  needsOptions,
  type Output,
  type ReasoningEffort,
  type RequestOf,
} from '@rowmill/contract';
import { wholeNumberIn } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/prompt/answer-columns.ts';

export interface PromptOptions extends Record<OptionField | 'model' | 'limit', string> {
  /** None for an answer in one text. */
  columns: ColumnDraft[];
}

/** The fields that a model may or may not take. */
export const optionOfField = {
  system: 'system',
  temperature: 'temperature',
  maxTokens: 'max_tokens',
  topP: 'top_p',
  /** One a line. */
  stop: 'stop',
  seed: 'seed',
  effort: 'reasoning_effort',
} as const satisfies Record<string, ModelOption>;
export type OptionField = keyof typeof optionOfField;

/** A column of answers as typed. */
export interface ColumnDraft {
  name: string;
  type: AnswerType;
  description: string;
  /** One a line, or in one line with commas. */
  options: string;
  mayBeEmpty: boolean;
}

export const emptyColumn: ColumnDraft = {
  name: '',
  type: 'text',
  description: '',
  options: '',
  mayBeEmpty: false,
};

type AskQuery = NonNullable<RequestOf<typeof askChatGpt>['query']>;
/** By the name of the field; of a column `columns.0.name` and so on. */
export type OptionProblems = Record<string, string>;

const fieldOf: Readonly<Record<string, string>> = {
  model: 'model',
  limit: 'limit',
  ...Object.fromEntries(Object.entries(optionOfField).map(([field, option]) => [option, field])),
};

/** The options as the call takes them, with the problems of each field. */
export function parseOptions(options: PromptOptions) {
  // A column without a name or settings does not count yet.
  const named = options.columns.flatMap((column, index) => (isBlank(column) ? [] : [index]));
  const outputs = named.map((index) => outputOf(options.columns[index] ?? emptyColumn));
  const query: AskQuery = {
    ...(options.model && { model: options.model }),
    ...(options.system.trim() && { system: options.system }),
    ...(options.temperature.trim() && { temperature: parseNumber(options.temperature) }),
    ...(options.maxTokens.trim() && { max_tokens: wholeNumberIn(options.maxTokens) }),
    ...(options.topP.trim() && { top_p: parseNumber(options.topP) }),
    ...(options.stop.trim() && { stop: linesOf(options.stop) }),
    ...(options.seed.trim() && { seed: wholeNumberIn(options.seed) }),
    ...(options.effort && { reasoning_effort: options.effort as ReasoningEffort }),
    ...(options.limit.trim() && { limit: wholeNumberIn(options.limit) }),
    ...(outputs.length > 0 && { outputs }),
  };
  const problems: OptionProblems = {};
  for (const { path, message } of askQuery.safeParse(query).error?.issues ?? []) {
    const [first, index, part = 'name'] = path;
    const column =
      typeof index === 'number' ? `columns.${named[index]}.${String(part)}` : 'columns';
    const field = first === 'outputs' ? column : fieldOf[String(first)];
    if (field) problems[field] ??= message;
  }
  if (options.columns.length > 0 && outputs.length === 0) problems.columns = texts.nameColumns;
  return { query, problems };
}

export const noOptions: PromptOptions = {
  model: '',
  system: '',
  temperature: '',
  maxTokens: '',
  topP: '',
  stop: '',
  seed: '',
  effort: '',
  limit: '',
  columns: [],
};

/** The options of a batch as they would be typed. */
export function optionsOf(batch: Pick<Batch, ModelOption | 'model'>): PromptOptions {
  const { model, temperature, max_tokens, top_p, seed, outputs } = batch;
  return {
    model,
    system: batch.system ?? '',
    temperature: temperature?.toString() ?? '',
    maxTokens: max_tokens?.toString() ?? '',
    topP: top_p?.toString() ?? '',
    stop: batch.stop?.join('\n') ?? '',
    seed: seed?.toString() ?? '',
    effort: batch.reasoning_effort ?? '',
    columns: outputs.map(draftOf),
    limit: '',
  };
}

/** Accepts a decimal comma. */
function parseNumber(text: string): number {
  return Number(text.trim().replace(',', '.'));
}

/** A blank before or behind a text belongs to it. */
function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function isBlank({ name, description, options }: ColumnDraft): boolean {
  return `${name}${description}${options}`.trim() === '';
}

function outputOf({ name, type, description, options, mayBeEmpty }: ColumnDraft): Output {
  if (type === 'text' && mayBeEmpty && !description.trim()) return name;
  return {
    name,
    type,
    ...(description.trim() && { description }),
    ...(needsOptions(type) && { options: parseList(options) }),
    ...(mayBeEmpty && { may_be_empty: true }),
  };
}

function draftOf(output: Output): ColumnDraft {
  const { name, type, description = '', options = [], may_be_empty = false } = asColumn(output);
  return { name, type, description, options: options.join('\n'), mayBeEmpty: may_be_empty };
}

function parseList(text: string): string[] {
  const lines = text.trim().split(text.trim().includes('\n') ? '\n' : ',');
  return lines.map((line) => line.trim()).filter(Boolean);
}
