import { beforeEach, expect, it } from 'vitest';
import { resetStorage } from './memory-storage.ts';
import { isStoredUserOutdated, storage } from './storage.ts';

const user = {
  id: 'u',
  first_name: 'Clara',
  last_name: 'Corkill',
  phone: '',
  email: 'clara@example.test',
  email_verified_at: '2026-01-01T00:00:00.000Z',
  role_id: 1,
  profile_photo: null,
};
const store = (stored: unknown) => localStorage.setItem('currentUser', JSON.stringify(stored));

beforeEach(resetStorage);

it('reads a stored user of this version as it is', () => {
  store(user);
  expect(storage.read('currentUser')).toEqual(user);
  expect(isStoredUserOutdated()).toBe(false);
});

it('keeps a user stored by another version signed in, and says that it must be fetched', () => {
  const { profile_photo, ...older } = user;
  store({ ...older, phone: 5, nickname: 'C' });
  expect(storage.read('currentUser')).toEqual({ ...user, phone: '' });
  expect(isStoredUserOutdated()).toBe(true);
});

it.each([
  ['is absent', null],
  ['has no id', '{"email":"clara@example.test"}'],
  ['is not JSON', '{"id":'],
  ['is something else', '"clara"'],
])('reads no user when the stored one %s', (_, text) => {
  if (text !== null) localStorage.setItem('currentUser', text);
  expect(storage.read('currentUser')).toBeNull();
});

it('reads a cart whose customer is unreadable as one without a customer', () => {
  localStorage.setItem('currentSale', JSON.stringify({ items: [], customer: 'clara' }));
  expect(storage.read('currentSale')).toEqual({ items: [], customer: undefined });
});
