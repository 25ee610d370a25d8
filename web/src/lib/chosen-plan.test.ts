import { beforeEach, expect, it } from 'vitest';
import { chosenPlan, keepChosenPlan } from './chosen-plan.ts';
import { type SwitchedAs, storage } from './storage.ts';

class MemoryStorage extends Map<string, string> {
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => void this.set(key, value);
  removeItem = (key: string) => void this.delete(key);
}

/** Each tab has a session storage of its own; the local one is everybody's. */
function tabOf(user_id: string) {
  const own = new MemoryStorage() as unknown as Storage;
  const look = () => (globalThis.sessionStorage = own);
  look();
  const person = {
    first_name: 'Bella',
    last_name: 'Crellin',
    phone: '',
    email: 'bella@example.test',
    profile_photo: null,
  };
  storage.write('switchedAs', { role: 'Client', user_id, ...person } satisfies SwitchedAs);
  return look;
}

beforeEach(() => {
  globalThis.localStorage = new MemoryStorage() as unknown as Storage;
  globalThis.sessionStorage = new MemoryStorage() as unknown as Storage;
  storage.write('userToken', 'token');
});

it('keeps a plan that was chosen for one client out of a tab that acts as another, and in its own', () => {
  const bella = tabOf('bella');
  const max = tabOf('max');
  bella();
  keepChosenPlan({ id: 'year' });
  max();
  expect(chosenPlan()).toBeNull();
  bella();
  expect(chosenPlan()).toMatchObject({ id: 'year', user_id: 'bella' });
});

it('is the spec’s key, with the plan as it was chosen', () => {
  tabOf('bella');
  keepChosenPlan({ id: 'year', order_id: 'order' });
  expect(JSON.parse(localStorage.getItem('selectedPlan') ?? '')).toEqual({
    id: 'year',
    order_id: 'order',
    user_id: 'bella',
  });
});

it('takes what a visitor chose for the choice of whoever signs in', () => {
  keepChosenPlan({ id: 'year' });
  tabOf('bella');
  expect(chosenPlan()).toMatchObject({ id: 'year' });
});
