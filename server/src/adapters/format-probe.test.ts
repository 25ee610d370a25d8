import { expect, it } from 'vitest';
import type { ChatOutcome, ChatRequest } from '../engine/port.ts';
import { withFormatProbe } from './format-probe.ts';

const request = { model: 'm', prompt: 'Rate it.', outputs: ['mood'], deadlineMilliseconds: 1_000 };
const answered = (text: string): ChatOutcome => ({ kind: 'answered', text });
const refused: ChatOutcome = { kind: 'request_refused', reason: 'No such field.' };

/** Asks three rows at once and a fourth one later. */
async function askRows(answerProbe: (asked: ChatRequest) => ChatOutcome, laterBy: number) {
  const calls: ChatRequest[] = [];
  let now = 0;
  const chat = {
    name: 'test',
    listModels: async () => [],
    close: async () => {},
    async ask(asked: ChatRequest) {
      calls.push(asked);
      return asked.prompt === request.prompt ? answered('{"mood":"glad"}') : answerProbe(asked);
    },
  };
  const probed = withFormatProbe(chat, () => now);
  const ask = () => probed.ask(request as unknown as ChatRequest);
  await Promise.all([ask(), ask(), ask()]);
  now = laterBy;
  await ask();
  const rows = calls.filter(({ prompt }) => prompt === request.prompt);
  return { probes: calls.length - rows.length, formats: rows.map(({ format }) => format) };
}

const rows = (format: string) => Array.from({ length: 4 }, () => format);

it.each<[string, (asked: ChatRequest) => ChatOutcome, number, string, number]>([
  ['obeys is asked by schema', () => answered('{"answer":"OK"}'), 60_000, 'schema', 1],
  ['ignores the form is asked in words', () => answered('OK'), 60_000, 'words', 1],
  [
    'refuses the form is asked in words',
    ({ outputs }) => (outputs.length > 0 ? refused : answered('OK')),
    60_000,
    'words',
    2,
  ],
  ['refuses everything is asked by schema, and again later', () => refused, 60_000, 'schema', 4],
  ['is down is not probed for each row', () => ({ kind: 'broken', reason: '' }), 1, 'schema', 1],
  ['may have changed is probed again', () => answered('OK'), 86_400_001, 'words', 2],
])('a model that %s', async (_case, answerProbe, laterBy, format, probes) => {
  expect(await askRows(answerProbe, laterBy)).toEqual({ probes, formats: rows(format) });
});
