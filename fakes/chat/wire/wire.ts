import type { IncomingHttpHeaders } from 'node:http';

/** A protocol that the fake speaks besides OpenAI's. */
export interface Wire {
  matches(path: string): boolean;
  /** A 429 says in its body when to come back, and not in a header. */
  namesTimeInBody?: true;
  /** The headers for what OpenAI's say about limits. */
  limitHeaders?(stated: Readonly<Record<string, string>>, now: number): Record<string, string>;
  key(headers: IncomingHttpHeaders): string | undefined;
  /** The request as OpenAI's. Throws when a part is missing that the protocol needs. */
  request(json: unknown, call: { path: string; headers: IncomingHttpHeaders }): object;
  /** `hasSchema`: the request asked for its columns by the protocol, not only in words. */
  answer(completion: Completion, hasSchema: boolean): object;
  failure(status: number, error: { message: string; code: string | null }): object;
}

/** What `completion` in answers.ts makes. */
export interface Completion {
  model: string;
  choices: [
    { message: { content: string | null; refusal?: string }; finish_reason: string },
    ...unknown[],
  ];
  usage: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details: { cached_tokens: number };
    completion_tokens_details: { reasoning_tokens: number };
  };
}

export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null;
}
