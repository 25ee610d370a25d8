import { allowedBatchActions, batchActions, batchStates } from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import { reasonAgainst } from './action-reasons.ts';

describe.each(batchStates)('a %s batch', (state) => {
  const batch = { state, actions: [...allowedBatchActions[state]], failed: 2 };
  it.each(batchActions)('allows %s or says why not', (action) => {
    const isAllowed = (batch.actions as string[]).includes(action);
    const reason = reasonAgainst(action, batch);
    expect(reason === null).toBe(isAllowed);
    expect(reason).not.toBe('Not available right now.');
  });
});

it('offers no retry when no row has failed', () => {
  const actions = [...allowedBatchActions.completed];
  expect(reasonAgainst('retryFailed', { state: 'completed', actions, failed: 0 })).toBe(
    'No rows have failed.',
  );
});

it('follows the server when it removes an action', () => {
  expect(reasonAgainst('delete', { state: 'completed', actions: ['download'], failed: 0 })).toBe(
    'Not available right now.',
  );
});
