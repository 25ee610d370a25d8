import type { Output } from '../answers/columns.ts';

/** What a model costs: submissions for an answered row, or for each `tokens` of it, rounded up. */
export interface Price {
  submissions: number;
  size: {
    tokens: number;
    /** How long an answer may be when a person sets nothing. */
    answerTokens: number;
  } | null;
}

/** With a deadline, rounded up for each row or number of tokens. Null: half is not less. */
export function halfPrice({ submissions, size }: Price): Price | null {
  const half = Math.ceil(submissions / 2);
  return half < submissions ? { submissions: half, size } : null;
}

/** What is sent with a prompt, and how long its answer may be. */
interface Sent {
  system: string | null;
  outputs: readonly Output[];
  max_tokens: number | null;
}

/** What a provider adds to a prompt to mark its parts. */
const addedTokens = 50;

/** The most that a row may cost, for its prompt and the longest answer. It is reserved. */
export function mostFor(
  { submissions, size }: Price,
  { promptLength, options }: { promptLength: number; options: Sent },
): number {
  if (!size) return submissions;
  return submissions * Math.ceil((promptLength + tokensBeside(options, size)) / size.tokens);
}

/** The most tokens of instructions, answer form and answer. */
export function tokensBeside(
  { system, outputs, max_tokens }: Sent,
  { answerTokens }: NonNullable<Price['size']>,
): number {
  const form = outputs.length > 0 ? JSON.stringify(outputs).length : 0;
  return addedTokens + (system?.length ?? 0) + form + (max_tokens ?? answerTokens);
}
