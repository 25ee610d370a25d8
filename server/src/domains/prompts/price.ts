import type { CallRequest } from '@rowmill/contract';
import { refuse } from '../../core/refusal.ts';
import type { AskOptions } from '../../db/schema.ts';
import * as texts from '../../texts/prompts.ts';

/** What a model costs: submissions for an answered row, or for every started `tokens` of it. */
export interface Price {
  submissions: number;
  size: {
    tokens: number;
    /** How long an answer may be when a person sets nothing. */
    answerTokens: number;
  } | null;
}

/** In most languages. A prompt has at most about one token for each character. */
const charactersPerToken = 4;
/** What a provider adds to a prompt to mark its parts. */
const addedTokens = 50;

/** The most that a row may cost, for its prompt and the longest answer. It is reserved. */
export function mostFor(
  { submissions, size }: Price,
  { promptLength, options }: { promptLength: number; options: AskOptions },
): number {
  if (!size) return submissions;
  return submissions * Math.ceil((promptLength + tokensBeside(options, size)) / size.tokens);
}

/** The most tokens of instructions, answer form and answer. */
export function tokensBeside(
  { system, outputs, max_tokens }: AskOptions,
  { answerTokens }: NonNullable<Price['size']>,
): number {
  const form = outputs.length > 0 ? JSON.stringify(outputs).length : 0;
  return addedTokens + (system?.length ?? 0) + form + (max_tokens ?? answerTokens);
}

/** With a deadline, rounded up per row or started tokens. Null: half is not less. */
export function halfPrice({ submissions, size }: Price): Price | null {
  const half = Math.ceil(submissions / 2);
  return half < submissions ? { submissions: half, size } : null;
}

/** The price may have risen since the person saw a quote. */
export function refuseAboveAgreed(
  needed: number,
  { max_submissions: agreed = needed }: NonNullable<CallRequest<'askChatGpt'>['query']>,
): void {
  if (needed <= agreed) return;
  const message = texts.costsMore(needed, agreed);
  refuse('invalid_input', { message, fields: { 'query.max_submissions': message } });
}

/** What an answer costs, as in the statement that stores rows (store/change-results.ts). */
export function chargeFor({ submissions, size }: Price, usedTokens: number): number {
  return size ? submissions * Math.max(1, Math.ceil(usedTokens / size.tokens)) : submissions;
}

/** For a provider that counts none. */
export function estimatedTokens(...texts: readonly string[]): number {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return Math.ceil(characters / charactersPerToken);
}
