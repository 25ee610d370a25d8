import { describe, expect, it } from 'vitest';
import { agreedStart } from './use-run.ts';

const request = { question: 'Say {{Row}}', query: { file: 'sheet', start: true } };

describe('a start', () => {
  it('costs at most what its quote said', () => {
    const agreed = agreedStart(request, { needed: 20, pending: null });
    expect(agreed.query).toEqual({ ...request.query, max_submissions: 20 });
  });

  it('with an unknown outcome is repeated as it was sent, although its quote has changed', () => {
    const sent = agreedStart(request, { needed: 20, pending: null });
    const pending = { body: JSON.stringify(sent), key: 'key' };
    expect(agreedStart(request, { needed: 40, pending })).toEqual(sent);
    const other = { ...request, question: 'Count {{Row}}' };
    expect(agreedStart(other, { needed: 40, pending }).query?.max_submissions).toBe(40);
  });

  const withQuery = (query: object) => ({ ...request, query: { ...request.query, ...query } });
  const [tomorrow, dayAfter] = ['2026-11-28T08:00:00.000Z', '2026-11-29T08:00:00.000Z'];
  it.each([
    ['no longer covers every row', {}, { partial: true }, true],
    ['covers every row again', { partial: true }, {}, true],
    ['is the same on the next day', { finish_by: tomorrow }, { finish_by: dayAfter }, true],
    ['is for half the price now', {}, { finish_by: tomorrow }, false],
    ['is for fewer rows now', {}, { limit: 5 }, false],
  ])('with an unknown outcome whose balance or request %s', (_, before, now, isRepeated) => {
    const sent = agreedStart(withQuery(before), { needed: 20, pending: null });
    const pending = { body: JSON.stringify(sent), key: 'key' };
    const next = agreedStart(withQuery(now), { needed: 40, pending });
    expect(next.query?.max_submissions).toBe(isRepeated ? 20 : 40);
    if (isRepeated) expect(next).toEqual(sent);
  });
});
