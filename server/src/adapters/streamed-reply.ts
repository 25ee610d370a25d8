import * as texts from '../texts/model-calls.ts';
import { at, listAt, textsOf } from './protocols/protocol.ts';

/** Some gateways always answer with server-sent events. */
export function isStream(text: string): boolean {
  return /^\s*(data|event|id|retry)?:/.test(text);
}

/** The answer whose parts a stream sends, in its own form, or an error that says what it is. */
export function joinStream(text: string): unknown {
  const events = text
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim());
  const chunks: unknown[] = events
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data));
  const choices = chunks.map((chunk) => at(at(chunk, 'choices'), 0));
  const started = chunks.find((chunk) => at(chunk, 'type') === 'message_start');
  const whole = chunks.find((chunk, index) => at(chunk, 'error') || at(choices[index], 'message'));
  if (whole) return whole;
  if (started) return joinMessage(at(started, 'message'), chunks);
  if (chunks.some((chunk) => at(chunk, 'candidates'))) return joinCandidates(chunks);
  const finish = choices.map((choice) => at(choice, 'finish_reason')).findLast(Boolean);
  // Without it, the rest of the answer may be missing.
  if (!finish && !events.includes('[DONE]')) return unreadable;
  const deltas = choices.map((choice) => at(choice, 'delta'));
  const refusal = textsOf(deltas.map((delta) => at(delta, 'refusal'))).join('');
  const message = { content: deltas.flatMap((delta) => partsOf(at(delta, 'content'))), refusal };
  const lastOf = (name: string) => chunks.map((chunk) => at(chunk, name)).findLast(Boolean);
  return {
    choices: [{ message, finish_reason: finish }],
    usage: lastOf('usage'),
    service_tier: lastOf('service_tier'),
  };
}

/** Anthropic's form. The parts of a tool's input are JSON only together. */
function joinMessage(started: unknown, chunks: readonly unknown[]): unknown {
  const deltas = chunks.map((chunk) => at(chunk, 'delta'));
  const joined = (name: string) => textsOf(deltas.map((delta) => at(delta, name))).join('');
  const stop_reason = deltas.map((delta) => at(delta, 'stop_reason')).findLast(Boolean);
  if (!stop_reason) return unreadable;
  const input = joined('partial_json');
  const usages = [started, ...chunks].map((part) => at(part, 'usage'));
  return {
    type: 'message',
    content: input
      ? [{ type: 'tool_use', input: JSON.parse(input) }]
      : [{ type: 'text', text: joined('text') }],
    stop_reason,
    usage: Object.assign({}, ...usages),
  };
}

/** Gemini's form. Each event counts the tokens so far. */
function joinCandidates(chunks: readonly unknown[]): unknown {
  const candidates = chunks.flatMap((chunk) => listAt(chunk, 'candidates').slice(0, 1));
  const lastOf = (name: string, of = chunks) => of.map((part) => at(part, name)).findLast(Boolean);
  const finishReason = lastOf('finishReason', candidates);
  if (!finishReason) return unreadable;
  const parts = candidates.flatMap((candidate) => listAt(at(candidate, 'content'), 'parts'));
  return {
    candidates: [{ content: { parts }, finishReason }],
    usageMetadata: lastOf('usageMetadata'),
  };
}

const unreadable = { error: { message: texts.streamUnreadable } };

const partsOf = (content: unknown) => (typeof content === 'string' ? { text: content } : content);
