import { expect, it } from 'vitest';
import { readTokens } from './chat-tokens.ts';
import { anthropicProtocol } from './protocols/anthropic.ts';
import { geminiProtocol } from './protocols/gemini.ts';

const count = (prompt_tokens: number, completion_tokens: number, reasoning_tokens?: number) => ({
  prompt_tokens,
  completion_tokens,
  ...(reasoning_tokens && { completion_tokens_details: { reasoning_tokens } }),
});
const usual = { input: 9, cached: 0, output: 6, reasoning: 0 };
it.each([
  ['none', undefined, undefined],
  ['null', null, undefined],
  ['a text', 'many', undefined],
  ['negative or broken counts', { prompt_tokens: -1, completion_tokens: 0.5 }, undefined],
  ['a count that is too large', { prompt_tokens: 1e12, completion_tokens: '7' }, undefined],
  ['input alone', { prompt_tokens: 12 }, undefined],
  ['output alone', { prompt_tokens: null, completion_tokens: 3 }, undefined],
  ['counts without details', count(12, 3), { input: 12, cached: 0, output: 3, reasoning: 0 }],
  [
    'all counts',
    { ...count(12, 30, 20), prompt_tokens_details: { cached_tokens: 8 } },
    { input: 12, cached: 8, output: 30, reasoning: 20 },
  ],
  [
    'reasoning beside the output, as xAI counts it',
    { ...count(32, 9, 94), total_tokens: 135 },
    { input: 32, cached: 0, output: 103, reasoning: 94 },
  ],
  [
    'reasoning only in the total, as Google’s OpenAI-compatible address counts it',
    { ...count(9, 664), total_tokens: 1_994, completion_tokens_details: { reasoning_tokens: 0 } },
    { input: 9, cached: 0, output: 1_985, reasoning: 1_321 },
  ],
  ['a total that is too large', { ...count(9, 6), total_tokens: 1e12 }, usual],
  ['a total that is too small', { ...count(9, 6), total_tokens: 9 }, usual],
  [
    'reasoning within the output',
    { ...count(32, 103, 94), total_tokens: 135 },
    { input: 32, cached: 0, output: 103, reasoning: 94 },
  ],
  [
    'more cached than sent',
    { ...count(2, 1), prompt_tokens_details: { cached_tokens: 9 } },
    { input: 2, cached: 2, output: 1, reasoning: 0 },
  ],
])('reads %s', (_case, usage, tokens) => {
  expect(readTokens(usage)).toEqual(tokens);
});

it.each([
  [
    'Anthropic',
    anthropicProtocol,
    {
      type: 'message',
      content: [{ type: 'text', text: 'yes' }],
      usage: { input_tokens: 7, cache_creation_input_tokens: -5, output_tokens: 3 },
    },
    { input: 7, cached: 0, output: 3, reasoning: 0 },
  ],
  [
    'Gemini',
    geminiProtocol,
    {
      candidates: [{ content: { parts: [{ text: 'yes' }] } }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, thoughtsTokenCount: -2 },
    },
    { input: 7, cached: 0, output: 3, reasoning: 0 },
  ],
])('leaves a negative part of the usage of %s out', (_kind, protocol, reply, tokens) => {
  const { usage } = protocol.completionOf(reply) as { usage: unknown };
  expect(readTokens(usage)).toEqual(tokens);
});

it.each([{ prompt_cache_hit_tokens: 5 }, { cached_tokens: 5 }])('reads %j as cached', (cached) => {
  const usage = { prompt_tokens: 7, completion_tokens: 3, ...cached };
  expect(readTokens(usage)).toMatchObject({ input: 7, cached: 5 });
});
