import {
  type askChatGpt,
  askQuery,
  type Batch,
  outputNames,
  type RequestOf,
} from '@rowmill/contract';
import * as texts from '../../texts/ask.ts';

/** The options as typed into their fields. */
export type PromptOptions = Record<
  'model' | 'system' | 'temperature' | 'maxTokens' | 'outputs' | 'limit',
  string
>;

type AskQuery = NonNullable<RequestOf<typeof askChatGpt>['query']>;
export type OptionProblems = Partial<Record<keyof PromptOptions, string>>;

const fieldOf = {
  model: 'model',
  system: 'system',
  temperature: 'temperature',
  max_tokens: 'maxTokens',
  outputs: 'outputs',
  limit: 'limit',
} as const satisfies Partial<Record<keyof AskQuery, keyof PromptOptions>>;

/** The options as the call takes them, with the problems of each field. The server chooses for empty fields. */
export function parseOptions(options: PromptOptions): {
  query: AskQuery;
  problems: OptionProblems;
} {
  const outputs = parseNames(options.outputs);
  const query: AskQuery = {
    ...(options.model && { model: options.model }),
    ...(options.system.trim() && { system: options.system }),
    ...(options.temperature.trim() && { temperature: parseNumber(options.temperature) }),
    ...(options.maxTokens.trim() && { max_tokens: parseNumber(options.maxTokens) }),
    ...(options.limit.trim() && { limit: parseNumber(options.limit) }),
    ...(options.outputs.trim() && { outputs }),
  };
  const problems: OptionProblems = {};
  for (const { path, message } of askQuery.safeParse(query).error?.issues ?? []) {
    const field = fieldOf[path[0] as keyof typeof fieldOf];
    if (field) problems[field] ??= message;
  }
  if (hasDuplicates(outputs)) problems.outputs ??= texts.sameColumnNames;
  return { query, problems };
}

/** The options of a batch as they would be typed. */
export function optionsOf(
  batch: Pick<Batch, 'model' | 'system' | 'temperature' | 'max_tokens' | 'outputs'>,
): PromptOptions {
  const { model, system, temperature, max_tokens, outputs } = batch;
  return {
    model,
    system: system ?? '',
    temperature: temperature?.toString() ?? '',
    maxTokens: max_tokens?.toString() ?? '',
    outputs: outputNames(outputs).join(', '),
    limit: '',
  };
}

/** Accepts a decimal comma. */
function parseNumber(text: string): number {
  return Number(text.trim().replace(',', '.'));
}

function parseNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

function hasDuplicates(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toLowerCase())).size < names.length;
}
