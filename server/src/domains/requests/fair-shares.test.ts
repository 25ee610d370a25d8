import { type Endpoint, type EndpointName, endpoints } from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import { fairShares, shareOf, shareOfCall } from './fair-shares.ts';

const calls = Object.entries(endpoints) as [EndpointName, Endpoint][];

/** The shares that a kind of call may count towards; the rest of the calls is cheap. */
function allowedFor({ who, sends, accepts, request }: Endpoint): string[] {
  const fields = Object.keys((request as { shape?: object }).shape ?? {});
  if (who === 'anyone') return ['none'];
  if (accepts === 'multipart') return ['uploads'];
  if (sends === 'events') return ['streams'];
  if (sends === 'file') return ['downloads', 'exports'];
  if (fields.includes('search')) return ['searches'];
  return Object.keys(fairShares);
}

describe('every call of the contract', () => {
  it.each(calls)('counts towards a share: %s', (name, endpoint) => {
    expect(Object.keys(shareOfCall)).toContain(name);
    const share = shareOf(name, { search: 'x' }) ?? 'none';
    expect(allowedFor(endpoint)).toContain(share);
  });
});

describe('a call that only reads', () => {
  it.each(calls.filter(([name]) => /^(get|list|show|fetch|recent)/.test(name)))(
    'does not use up the changes of the day: %s',
    (name) => {
      expect(shareOf(name, {})).not.toBe('changes');
    },
  );
});

describe('the share depends on the request', () => {
  it.each([
    ['getQuestionsAsked', { search: '' }, 'lists'],
    ['getQuestionsAsked', { search: 'x' }, 'searches'],
    ['getRows', { search: '', filter: 'all' }, 'rows'],
    ['getRows', { search: '', filter: 'failed' }, 'searches'],
    ['getRows', { search: '', filter: 'all', conditions: [{}] }, 'searches'],
    ['getRows', { search: '', filter: 'all', sort: {} }, 'searches'],
    ['getRows', { search: '', filter: 'all', count: 'row' }, 'searches'],
    ['askChatGpt', {}, 'prompts'],
    ['askChatGpt', { query: { model: 'x' } }, 'prompts'],
    ['askChatGpt', { query: { file: 'x', quote: true } }, 'quotes'],
    ['askChatGpt', { query: { file: 'x', start: true, preview: 2 } }, 'quotes'],
    ['askChatGpt', { query: { file: 'x', preview: 2 } }, 'previews'],
  ] as const)('%s %j: %s', (name, request, share) => {
    expect(shareOf(name, request)).toBe(share);
  });
});
