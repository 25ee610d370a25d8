import { type askChatGpt, askQuery, type RequestOf } from '@rowmill/contract';
import * as texts from '../../../texts/ask.ts';
import type { OptionTexts } from '../draft.ts';

export type AskQuery = NonNullable<RequestOf<typeof askChatGpt>['query']>;
export type OptionProblems = Partial<Record<keyof OptionTexts, string>>;

const fieldOf = {
  model: 'model',
  system: 'system',
  temperature: 'temperature',
  max_tokens: 'maxTokens',
  outputs: 'outputs',
  limit: 'limit',
} as const satisfies Partial<Record<keyof AskQuery, keyof OptionTexts>>;

/** The options as the call takes them, and what the contract has against them. A field left empty is the server's to decide. */
export function readOptions(options: OptionTexts): { query: AskQuery; problems: OptionProblems } {
  const query = {
    ...(options.model ? { model: options.model } : {}),
    ...(options.system.trim() ? { system: options.system } : {}),
    ...numberAt('temperature', options.temperature),
    ...numberAt('max_tokens', options.maxTokens),
    ...numberAt('limit', options.limit),
    ...(options.outputs.trim() ? { outputs: namesIn(options.outputs) } : {}),
  };
  const parsed = askQuery.safeParse(query);
  const issues = parsed.success ? [] : parsed.error.issues;
  const problems: OptionProblems = {};
  for (const { path, message } of issues) {
    const field = fieldOf[path[0] as keyof typeof fieldOf];
    if (field) problems[field] ??= message;
  }
  if (hasRepetition(namesIn(options.outputs))) problems.outputs ??= texts.sameColumns;
  return { query, problems };
}

/** Many people write 0,7 where others write 0.7. */
function numberAt(name: string, text: string): Record<string, number> {
  return text.trim() ? { [name]: Number(text.trim().replace(',', '.')) } : {};
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

function hasRepetition(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toLowerCase())).size < names.length;
}
