import { describe, expect, it } from 'vitest';
import type { ChatOutcome, ChatRequest } from '../engine/port.ts';
import { checkColumns, withCorrection } from './answer-columns.ts';

const answered = (text: string) => ({ kind: 'answered', text }) as const;

it.each([
  ['has every column', '{"mood":"glad","score":1}'],
  ['has every column in a fence', '```json\n{"mood":"glad","score":1}\n```'],
])('accepts an answer that %s', (_case, text) => {
  expect(checkColumns(answered(text), ['mood', 'score'])).toEqual(answered(text));
});

it.each([
  ['is plain text', 'glad', 'The answer is not split into columns, as was asked for.'],
  ['is unfinished', '{"mood":"gl', 'The answer is not split into columns, as was asked for.'],
  ['lacks a column', '{"mood":"glad"}', 'The answer lacks the column “score”.'],
  ['lacks all columns', '{}', 'The answer lacks the columns “mood”, “score”.'],
])('refuses an answer that %s and keeps its text', (_case, text, reason) => {
  const outcome = { kind: 'unusable', reason, answer: text };
  expect(checkColumns(answered(text), ['mood', 'score'])).toEqual(outcome);
});

it('keeps only the beginning of a long unusable answer', () => {
  const outcome = checkColumns(answered('x'.repeat(1_000_000)), ['mood']);
  expect(outcome).toMatchObject({ answer: 'x'.repeat(2_000) });
});

it('leaves answers without columns and other outcomes alone', () => {
  expect(checkColumns(answered('glad'), [])).toEqual(answered('glad'));
  const broken = { kind: 'broken', reason: 'No answer.' } as const;
  expect(checkColumns(broken, ['mood'])).toBe(broken);
});

describe('a model whose answer is unusable', () => {
  const unusable = { kind: 'unusable', reason: 'No score.', answer: '{}' } as const;
  async function askInTurn(...outcomes: ChatOutcome[]) {
    const corrections: ChatRequest['correction'][] = [];
    const ask = async ({ correction }: ChatRequest) => {
      corrections.push(correction);
      return outcomes.shift() ?? ({ kind: 'aborted' } as const);
    };
    const model = { name: 'test', listModels: async () => [], close: async () => {}, ask };
    const outcome = await withCorrection(model).ask({} as ChatRequest);
    return { outcome, corrections };
  }
  const shown = { answer: '{}', problem: 'No score.' };

  it.each<[string, ChatOutcome[], ChatOutcome, unknown[]]>([
    ['is not asked again after an answer', [answered('yes')], answered('yes'), [undefined]],
    ['is shown it once', [unusable, answered('yes')], answered('yes'), [undefined, shown]],
    ['is not asked a third time', [unusable, unusable], unusable, [undefined, shown]],
    [
      'is quoted when it refuses to correct itself',
      [unusable, { kind: 'row_refused', reason: 'No.' }],
      { kind: 'row_refused', reason: 'No.', answer: '{}' },
      [undefined, shown],
    ],
  ])('%s', async (_case, outcomes, outcome, corrections) => {
    expect(await askInTurn(...outcomes)).toEqual({ outcome, corrections });
  });

  const tokens = { input: 3, cached: 1, output: 2, reasoning: 0, cost: 7 };
  it.each([
    ['both calls', tokens, tokens, { input: 6, cached: 2, output: 4, reasoning: 0, cost: 14 }],
    ['the first call alone', tokens, null, { ...tokens, cost: null }],
    ['the second call alone', null, tokens, { ...tokens, cost: null }],
    ['the first call, if the second was not answered', tokens, undefined, tokens],
    ['neither call', null, null, null],
    ['neither call, if the second was not answered', null, undefined, null],
  ])('has the tokens of %s, and the cost only of both', async (_case, first, second, both) => {
    const { outcome } = await askInTurn(
      { ...unusable, tokens: first },
      { ...answered('yes'), tokens: second },
    );
    expect(outcome).toEqual({ ...answered('yes'), tokens: both });
  });
});
