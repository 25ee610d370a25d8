import type { CallRequest, Price } from '@rowmill/contract';
import { refuse } from '../../core/refusal.ts';
import * as texts from '../../texts/prompts.ts';

/** In most languages. A prompt has at most about one token for each character. */
const charactersPerToken = 4;

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
