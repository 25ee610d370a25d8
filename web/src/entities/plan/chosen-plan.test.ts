import { beforeEach, expect, it } from 'vitest';
import { MemoryStorage, resetStorage } from '../../../harness/memory-storage.ts';
import { type SwitchedAs, storage } from '../../lib/storage.ts';
import { chosenPlan, saveChosenPlan } from './chosen-plan.ts';

/** Each tab has its own session storage; they share the local one. */
function tabOf(user_id: string) {
  const own = new MemoryStorage();
  const focus = () => {
    globalThis.sessionStorage = own;
  };
  focus();
  const person = {
    first_name: 'Bella',
    last_name: 'Crellin',
    phone: '',
    email: 'bella@example.test',
    profile_photo: null,
  };
  storage.write('switchedAs', { role: 'Client', user_id, ...person } satisfies SwitchedAs);
  return focus;
}

beforeEach(() => {
  resetStorage();
  storage.write('userToken', 'token');
});

it('shows a plan chosen for one client in that client’s tab only', () => {
  const bella = tabOf('bella');
  const max = tabOf('max');
  bella();
  saveChosenPlan({ id: 'year' });
  max();
  expect(chosenPlan()).toBeNull();
  bella();
  expect(chosenPlan()).toMatchObject({ id: 'year', user_id: 'bella' });
});

it('stores the plan under the specified key with the person it was chosen for', () => {
  tabOf('bella');
  saveChosenPlan({ id: 'year', order_id: 'order' });
  expect(JSON.parse(localStorage.getItem('selectedPlan') ?? '')).toEqual({
    id: 'year',
    order_id: 'order',
    user_id: 'bella',
  });
});

it('gives the choice of a visitor to the person who then signs in', () => {
  saveChosenPlan({ id: 'year' });
  tabOf('bella');
  expect(chosenPlan()).toMatchObject({ id: 'year' });
});
