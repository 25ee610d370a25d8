import { describe, expect, it } from 'vitest';
import { acts, describeAct, findActs } from './audit.ts';

describe('an audit entry', () => {
  it.each([
    ['credits_given', { amount: 1 }, 'gave 1 submission'],
    ['credits_given', { amount: 1200, reason: 'trial' }, 'gave 1,200 submissions: trial'],
    [
      'credits_adjusted',
      { change: -1, reason: 'typo' },
      'changed the balance by -1 submission: typo',
    ],
    ['credits_taken_back', {}, 'took ? submissions back'],
    [
      'client_limits_set',
      { monthly_limit: null, low_balance_at: 50 },
      'set the monthly limit to none and the low-balance alert to 50',
    ],
    ['role_changed', { role_id: 2, reason: '' }, 'made the account an admin’s'],
    ['role_changed', { role_id: 1, reason: 'left' }, 'made the account a client’s: left'],
    ['plan_taken', { plan: 'quarter', name: 'Quarterly' }, 'chose the plan “Quarterly”'],
    ['plan_taken', { plan: 'quarter' }, 'chose the plan “quarter”'],
    [
      'client_moved',
      { to: 'u1', newAdminName: 'Adam Kelly', reason: 'asked' },
      'changed the manager of the account to Adam Kelly: asked',
    ],
    ['client_moved', { to: null }, 'changed the manager of the account to no one'],
    ['provider_saved', { provider: 'Acme' }, 'saved the provider “Acme”'],
    [
      'provider_saved',
      {
        provider: 'Acme',
        changes: [['sealed_key'], ['concurrency', 8, 1_600], ['is_enabled', true, false]],
      },
      'saved the provider “Acme”: key changed; calls at once from 8 to 1,600; in use from yes to no',
    ],
    [
      'model_saved',
      {
        model: 'large',
        changes: [
          ['label', 'Large', 'Largest'],
          ['input_cost', null, 2_500_000],
          ['options', [], ['seed', 'stop']],
          ['removed_field', 1, 2],
        ],
      },
      'saved the model “large”: label from “Large” to “Largest”; cost of input tokens from none to 2.50; options from none to seed and stop; removed_field from 1 to 2',
    ],
    ['an_older_act', { reason: 'x' }, 'an older act'],
    ['constructor', {}, 'constructor'],
  ])('of %s with %j reads “%s”', (act, detail, text) => {
    expect(describeAct(act, detail)).toBe(text);
  });

  it.each([
    ['refunded', ['order_reversed']],
    ['Changed the balance', ['credits_adjusted']],
    ['started a batch', ['batch_started']],
    ['client moved', ['client_moved']],
    ['limit', ['client_limits_set']],
    // The middle of a word may be a name.
    ['ted', []],
    ['undefined', []],
  ])('is found by %j, as it reads or as it is stored', (search, found) => {
    expect(findActs(search)).toEqual(found);
  });

  it('has a text for every act, even without details', () => {
    for (const act of Object.keys(acts)) expect(describeAct(act, {})).toMatch(/^[a-z]/);
  });
});
