import * as texts from '../texts/model-calls.ts';
import { at, textsOf } from './protocols/protocol.ts';

/** Some gateways always answer with server-sent events. */
export function isStream(text: string): boolean {
  return /^\s*(data|event|id|retry)?:/.test(text);
}

/** The completion whose parts a stream of OpenAI's form sends, or an error that says what it is. */
export function joinStream(text: string): unknown {
  const events = text
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim());
  const chunks: unknown[] = events
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data));
  const choices = chunks.map((chunk) => at(at(chunk, 'choices'), 0));
  const whole = chunks.find((chunk, index) => at(chunk, 'error') || at(choices[index], 'message'));
  if (whole) return whole;
  const finish = choices.map((choice) => at(choice, 'finish_reason')).findLast(Boolean);
  // Without it, the rest of the answer may be missing.
  if (!finish && !events.includes('[DONE]')) return { error: { message: texts.streamUnreadable } };
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

const partsOf = (content: unknown) => (typeof content === 'string' ? { text: content } : content);
