import { expect, it } from 'vitest';
import { readTokens } from './chat-tokens.ts';

it.each([
  ['none', undefined, undefined],
  ['null', null, undefined],
  ['a text', 'many', undefined],
  ['negative or broken counts', { prompt_tokens: -1, completion_tokens: 0.5 }, undefined],
  ['a count that is too large', { prompt_tokens: 1e12, completion_tokens: '7' }, undefined],
  [
    'counts without details',
    { prompt_tokens: 12, completion_tokens: 3 },
    { input: 12, cached: 0, output: 3, reasoning: 0 },
  ],
  [
    'all counts',
    {
      prompt_tokens: 12,
      completion_tokens: 30,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 20 },
    },
    { input: 12, cached: 8, output: 30, reasoning: 20 },
  ],
  [
    'more cached than sent',
    { prompt_tokens: 2, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 9 } },
    { input: 2, cached: 2, output: 1, reasoning: 0 },
  ],
])('reads %s', (_case, usage, tokens) => {
  expect(readTokens(usage)).toEqual(tokens);
});
