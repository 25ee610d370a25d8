import type { FormatFinding } from '@rowmill/contract';
import { expect, it } from 'vitest';
import type { ChatOutcome, ChatRequest } from '../engine/port.ts';
import { withFormatProbe } from './format-probe.ts';

const request = { model: 'm', prompt: 'Rate it.', outputs: ['mood'], deadlineMilliseconds: 1_000 };
const answered = (text: string): ChatOutcome => ({ kind: 'answered', text });
const refused: ChatOutcome = { kind: 'request_refused', reason: 'No such field.' };

/** Asks three rows at once and a fourth one later. */
async function askRows(
  answerProbe: (asked: ChatRequest) => ChatOutcome,
  { laterBy, stored }: { laterBy: number; stored: Map<string, FormatFinding> },
) {
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
  const formats = {
    find: async (model: string) => stored.get(model),
    save: async (model: string, finding: FormatFinding) => void stored.set(model, finding),
  };
  const probed = withFormatProbe(chat, { formats, now: () => now });
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
  ['is known is not probed again an hour later', () => answered('OK'), 3_600_001, 'words', 1],
])('a model that %s', async (_case, answerProbe, laterBy, format, probes) => {
  expect(await askRows(answerProbe, { laterBy, stored: new Map() })).toEqual({
    probes,
    formats: rows(format),
  });
});

it('a model that another process has probed is not probed', async () => {
  const stored = new Map([['m', 'ignores' as const]]);
  expect(await askRows(() => answered('OK'), { laterBy: 1, stored })).toEqual({
    probes: 0,
    formats: rows('words'),
  });
});

it('continues after a probe that threw', async () => {
  const found = await askRows(
    () => {
      throw new Error('the probe failed');
    },
    { laterBy: 30_000, stored: new Map() },
  );
  expect(found).toEqual({ probes: 2, formats: rows('schema') });
});
