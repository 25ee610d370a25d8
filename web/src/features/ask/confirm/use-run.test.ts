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
});
