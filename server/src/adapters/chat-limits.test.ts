import { expect, it } from 'vitest';
import { cooldownUntil, type ReplyHeaders, statedLimits } from './chat-limits.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

const left = (of: 'requests' | 'tokens', remaining: string, reset: string) => ({
  [`x-ratelimit-remaining-${of}`]: remaining,
  [`x-ratelimit-reset-${of}`]: reset,
});
const limits = (of: 'requests' | 'tokens', limit: string, remaining: string, reset: string) => ({
  [`x-ratelimit-limit-${of}`]: limit,
  ...left(of, remaining, reset),
});

/** With the clock of the provider, as Anthropic does. */
const anthropic = (
  date: string,
  limits: Record<string, [limit: string, left: string, reset: string]>,
) => ({
  date: `Sun, 01 Mar 2026 12:${date} GMT`,
  ...Object.fromEntries(
    Object.entries(limits).flatMap(([of, [limit, left, reset]]) => [
      [`anthropic-ratelimit-${of}-limit`, limit],
      [`anthropic-ratelimit-${of}-remaining`, left],
      [`anthropic-ratelimit-${of}-reset`, `2026-03-01T12:${reset}Z`],
    ]),
  ),
});

const cases: [string, ReplyHeaders, number | null][] = [
  ['no headers', {}, null],
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['a fraction of a second', { 'retry-after': '0.5' }, 500],
  ['milliseconds', { 'retry-after-ms': '1500' }, 1_500],
  ['a fraction of a millisecond, rounded up', { 'retry-after-ms': '0.2' }, 1],
  ['ten minutes', { 'retry-after': '600' }, 600_000],
  ['a date', { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' }, 9_000],
  ['a date in RFC 850 format', { 'retry-after': 'Sunday, 01-Mar-26 12:00:09 GMT' }, 9_000],
  ['a date in asctime format', { 'retry-after': 'Sun Mar  1 12:00:09 2026' }, 9_000],
  ['a date in the past', { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, null],
  ['zero', { 'retry-after': '0' }, null],
  ['a negative number', { 'retry-after': '-1' }, null],
  ['a word', { 'retry-after': 'soon' }, null],
  ['an empty header', { 'retry-after': '' }, null],
  ['milliseconds and the same in seconds', { 'retry-after': '1', 'retry-after-ms': '12' }, 12],
  [
    'a time, and a later one when the limit is full again',
    { 'retry-after': '1', ...left('tokens', '0', '40s') },
    1_000,
  ],
  ['the same header twice', { 'retry-after': ['3', '7'] }, 3_000],
  ['a number between spaces', { 'retry-after': ' 7 ' }, 7_000],
  ['a hundred years, cut to a day', { 'retry-after': '3153600000' }, 86_400_000],
  ['more digits than a number holds, cut to a day', { 'retry-after': '9'.repeat(400) }, 86_400_000],
  [
    'a date in 300 years, cut to a day',
    { 'retry-after': 'Sun, 01 Mar 2326 12:00:00 GMT' },
    86_400_000,
  ],
  ['a date that does not exist', { 'retry-after': 'Sun, 99 Mar 2026 12:00:00 GMT' }, null],
  ['an exponent', { 'retry-after': '1e3' }, null],
  ['hexadecimal digits', { 'retry-after': '0x10' }, null],
  ['infinity', { 'retry-after': 'Infinity' }, null],
  ['two numbers in one header', { 'retry-after': '3, 7' }, null],
  ['negative milliseconds beside seconds', { 'retry-after-ms': '-5', 'retry-after': '3' }, 3_000],
  ['words as milliseconds beside seconds', { 'retry-after-ms': 'soon', 'retry-after': '3' }, 3_000],
  [
    'a date beside a reply date that is none',
    { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT', date: '5' },
    9_000,
  ],
  ['seconds since 1970', left('requests', '0', `${now / 1_000 + 9}`), 9_000],
  ['milliseconds since 1970', left('requests', '0', `${now + 9_000}`), 9_000],
  ['a time since 1970 in the past', left('requests', '0', `${now / 1_000 - 9}`), null],
  ['fewer than no requests left', left('requests', '-3', '1s'), 1_000],
  ['a negative reset', left('requests', '0', '-1s'), null],
  ['requests used up', left('requests', '0', '1s'), 1_000],
  ['tokens used up', left('tokens', '0', '6m0s'), 360_000],
  ['tokens used up for milliseconds', left('tokens', '0', '20ms'), 20],
  ['tokens used up for a fraction of a second', left('tokens', '0', '7.66s'), 7_660],
  ['tokens used up for hours', left('tokens', '0', '1h2m3s4ms'), 3_723_004],
  ['tokens used up, in plain seconds', left('tokens', '0', '59'), 59_000],
  ['tokens used up without a time', { 'x-ratelimit-remaining-tokens': '0' }, null],
  ['tokens used up, with a time in words', left('tokens', '0', '1s later'), null],
  ['requests left', left('requests', '3', '1s'), null],
  [
    'a date, counted from the date of the reply and not from our clock',
    { 'retry-after': 'Sun, 22 Nov 2026 03:00:10 GMT', date: 'Sun, 22 Nov 2026 03:00:03 GMT' },
    7_000,
  ],
  ['a reset time without a count', { 'x-ratelimit-reset-requests': '1s' }, null],
  [
    'requests left, but tokens used up',
    { ...left('requests', '3', '9s'), ...left('tokens', '0', '2s') },
    2_000,
  ],
  [
    'a day used up, as Cerebras does',
    {
      'x-ratelimit-remaining-requests-day': '0',
      'x-ratelimit-reset-requests-day': '33011.382867097855',
      'x-ratelimit-remaining-tokens-minute': '0',
      'x-ratelimit-reset-tokens-minute': '11.382867097854614',
    },
    33_011_383,
  ],
  [
    'a minute used up without a time, as Mistral does',
    { 'x-ratelimit-limit-req-minute': '4', 'x-ratelimit-remaining-req-minute': '0' },
    null,
  ],
  [
    'output used up, as Anthropic does',
    anthropic('05:00', { 'output-tokens': ['16000', '0', '05:30'] }),
    30_000,
  ],
  [
    'all headers at once',
    { 'retry-after': '1', 'retry-after-ms': '1200', ...left('tokens', '0', '2s') },
    1_200,
  ],
];

it.each(cases)('reads the cooldown from the headers: %s', (_name, headers, wait) => {
  expect(cooldownUntil(headers, now)).toBe(wait === null ? null : now + wait);
});

const requests = { of: 'requests', limit: 500, remaining: 20 };
it.each<[string, ReplyHeaders, object[]]>([
  ['nothing', {}, []],
  [
    'requests and tokens',
    { ...limits('requests', '500', '20', '57.6s'), ...limits('tokens', '9000', '0', '1m0s') },
    [
      { ...requests, resetMilliseconds: 57_600 },
      { of: 'tokens', limit: 9_000, remaining: 0, resetMilliseconds: 60_000 },
    ],
  ],
  [
    'a time by the clock of the provider',
    anthropic('05:00', { requests: ['500', '20', '05:30'] }),
    [{ ...requests, resetMilliseconds: 30_000 }],
  ],
  [
    'input and output apart, as Anthropic does',
    anthropic('00:00', {
      'input-tokens': ['80000', '78000', '00:02'],
      'output-tokens': ['16000', '1000', '00:57'],
    }),
    [
      { of: 'input_tokens', limit: 80_000, remaining: 78_000, resetMilliseconds: 2_000 },
      { of: 'output_tokens', limit: 16_000, remaining: 1_000, resetMilliseconds: 57_000 },
    ],
  ],
  [
    'tokens per minute and requests per day, as Cerebras does',
    {
      'x-ratelimit-limit-requests-day': '14400',
      'x-ratelimit-remaining-requests-day': '12',
      'x-ratelimit-reset-requests-day': '33011.382867097855',
      'x-ratelimit-limit-tokens-minute': '60000',
      'x-ratelimit-remaining-tokens-minute': '5000',
      'x-ratelimit-reset-tokens-minute': '11.382867097854614',
    },
    [{ of: 'tokens', limit: 60_000, remaining: 5_000, resetMilliseconds: 11_382.867097854614 }],
  ],
  [
    'limits per minute without a reset, as Mistral does',
    {
      'x-ratelimit-limit-req-minute': '720',
      'x-ratelimit-remaining-req-minute': '180',
      'x-ratelimit-limit-tokens-minute': '5000000',
      'x-ratelimit-remaining-tokens-minute': '5000000',
    },
    [{ of: 'requests', limit: 720, remaining: 180, resetMilliseconds: 45_000 }],
  ],
  [
    'no limits when only what is left is known, as on old deployments of Azure',
    { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-remaining-tokens': '12' },
    [],
  ],
  ['no limits of a kind that Azure does not count', limits('tokens', '-1', '-1', '0'), []],
  [
    'a limit of zero, and one without a reset',
    {
      ...limits('requests', '0', '0', '1s'),
      'x-ratelimit-limit-tokens': '9000',
      'x-ratelimit-remaining-tokens': '12',
    },
    [],
  ],
  [
    'words, and numbers below zero',
    { ...limits('requests', 'many', '20', '1s'), ...limits('tokens', '9000', '-1', '1s') },
    [],
  ],
  [
    'more digits than a number holds',
    {
      ...limits('requests', '9'.repeat(400), '9'.repeat(400), '1s'),
      ...limits('tokens', '9000', '9'.repeat(400), '1s'),
    },
    [],
  ],
])('an answer states %s', (_name, headers, expected) => {
  expect(statedLimits(headers, now)).toEqual(expected);
});
