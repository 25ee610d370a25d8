import { setTimeout } from 'node:timers/promises';
import * as texts from '../../texts/model-calls.ts';
import { addTokens, type ChatModel, type ChatOutcome, type ChatRequest } from '../port.ts';
import type { Limits } from './provider-lanes.ts';

/** After a failure that may be chance. Shorter than anyone minds. */
const secondTryMilliseconds = 500;
/** A person waits at most so long for a second try. */
const mostMilliseconds = 3_000;
/** Of the deadline: the first try and the wait, so that both tries take at most 1.5 deadlines. */
const mostOfDeadline = 0.25;

interface Parts {
  limits: Limits;
  now: () => number;
}

/**
 * The model for single prompts and tried rows: sends nothing during a cooldown. Providers fail and
 * refuse calls by chance, so what fails quickly is tried once more.
 */
export function throttledChat(chat: ChatModel, parts: Parts): ChatModel {
  return {
    ...chat,
    async ask(request) {
      const startedAt = parts.now();
      const first = await askOutsideCooldown(chat, request, parts);
      // A probe decides by itself.
      if (request.person === undefined) return first;
      const wait = waitAfter(first, parts.now());
      const most = mostOfDeadline * request.deadlineMilliseconds;
      if (wait > Math.min(most, mostMilliseconds) || parts.now() - startedAt > most) return first;
      await setTimeout(wait);
      const second = await askOutsideCooldown(chat, request, parts);
      return { ...second, tokens: addTokens(first.tokens, second.tokens) };
    },
  };
}

async function askOutsideCooldown(
  chat: ChatModel,
  request: ChatRequest,
  { limits, now }: Parts,
): Promise<ChatOutcome> {
  const { cooldownUntil } = limits.of(request.model).limiter;
  const seconds = Math.ceil((cooldownUntil - now()) / 1_000);
  if (seconds <= 0) return chat.ask(request);
  return { kind: 'try_later', retryAt: cooldownUntil, reason: texts.waitSeconds(seconds) };
}

/** Infinite when another try would not help, or comes too late. */
function waitAfter(outcome: ChatOutcome, now: number): number {
  switch (outcome.kind) {
    case 'broken':
      return outcome.isLate ? Infinity : secondTryMilliseconds;
    case 'try_later':
      return outcome.retryAt === null ? secondTryMilliseconds : Math.max(0, outcome.retryAt - now);
    case 'provider_refused':
      return outcome.retryAt === undefined ? secondTryMilliseconds : Infinity;
    default:
      return Infinity;
  }
}
