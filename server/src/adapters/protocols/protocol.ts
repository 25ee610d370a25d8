import type { ChatRequest } from '../../engine/port.ts';
import { correctionFor, formatInWords } from '../answer-format.ts';

/** How a provider is asked, and how its reply reads in OpenAI's form. */
export interface Protocol {
  headers(apiKey: string): Record<string, string>;
  /** Behind the base address, with its own query if it needs one. */
  askPath(model: string): string;
  /** Null when the provider has no list of what can be asked. */
  listPath: string | null;
  bodyOf(request: ChatRequest): object;
  /** Whether it learns from a refusal how to ask, so that asking again may help. */
  learn?(request: ChatRequest, refusal: string): boolean;
  /** A reply of the provider as `choices` and `usage`; it may be of any shape. */
  completionOf(json: unknown): unknown;
  modelsOf(json: unknown): string[];
}

export interface Turn {
  role: 'user' | 'assistant';
  text: string;
}

/** The prompt; after an unusable answer also that answer and what is wrong with it. */
export function turnsOf(request: ChatRequest): Turn[] {
  const { outputs, correction } = request;
  const prompt = request.prompt.toWellFormed();
  const text = isInWords(request) ? `${prompt}\n\n${formatInWords(outputs)}` : prompt;
  if (!correction) return [{ role: 'user', text }];
  return [
    { role: 'user', text },
    { role: 'assistant', text: correction.answer },
    { role: 'user', text: correctionFor(correction.problem, outputs) },
  ];
}

export const wantsSchema = (request: ChatRequest) =>
  request.outputs.length > 0 && !isInWords(request);

function isInWords({ outputs, format }: ChatRequest): boolean {
  return outputs.length > 0 && format === 'words';
}

/** A field of a value that may have any shape. */
export function at(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
}

export function listAt(value: unknown, key: string): unknown[] {
  const found = at(value, key);
  return Array.isArray(found) ? found : [];
}

/** The texts of the parts that are text. */
export function textsOf(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

/** The names of models in a list of OpenAI's form. */
export function idsInData(json: unknown): string[] {
  return textsOf(listAt(json, 'data').map((model) => at(model, 'id')));
}
