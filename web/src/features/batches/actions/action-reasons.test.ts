import { allowedBatchActions, batchActions, batchStates } from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import { reasonAgainst } from './action-reasons.ts';

describe.each(batchStates)('a batch that is %s', (state) => {
  const batch = { state, actions: [...allowedBatchActions[state]], failed: 2 };
  it.each(batchActions)('can %s, or says in its own words why not', (action) => {
    const isAllowed = (batch.actions as string[]).includes(action);
    const reason = reasonAgainst(action, batch);
    expect(reason === null).toBe(isAllowed);
    expect(reason).not.toBe('Not possible in the present state.');
  });
});

it('does not offer to retry when nothing has failed', () => {
  const batch = {
    state: 'completed',
    actions: [...allowedBatchActions.completed],
    failed: 0,
  } as const;
  expect(reasonAgainst('retryFailed', { ...batch, actions: [...batch.actions] })).toBe(
    'No row has failed.',
  );
});

it('believes the server when it takes an action away', () => {
  expect(reasonAgainst('delete', { state: 'completed', actions: ['download'], failed: 0 })).toBe(
    'Not possible in the present state.',
  );
});
