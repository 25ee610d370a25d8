import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStorage, resetStorage } from '../../harness/memory-storage.ts';
import {
  adoptSharedView,
  isStoredUserOutdated,
  noteSharedView,
  shapes,
  shareView,
  storage,
} from './storage.ts';

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

it('has the nine keys of the specification', () => {
  expect(Object.keys(shapes)).toEqual([
    'userToken',
    'appToken',
    'currentUser',
    'switchedAs',
    'userPlan',
    'billingAddress',
    'currentSale',
    'selectedPlan',
    'navigateToBilling',
  ]);
});

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

it.each([
  ['"abc.def"', 'abc.def'],
  ['abc.DEF-1_2~+/=', 'abc.DEF-1_2~+/='],
  ['12345', '12345'],
  ['null', null],
  ['undefined', null],
  ['true', null],
  ['{"a":1}', null],
  ['two words', null],
  ['"open', null],
  ['', null],
])('reads the stored token %s as %s', (text, token) => {
  localStorage.setItem('userToken', text);
  expect(storage.read('userToken')).toBe(token);
});

it.each([
  ['true', true],
  ['"true"', true],
  ['1', true],
  ['false', null],
  ['0', null],
  ['"yes"', null],
])('reads the billing flag %s as %s', (text, flag) => {
  localStorage.setItem('navigateToBilling', text);
  expect(storage.read('navigateToBilling')).toBe(flag);
});

it('accepts ids that are numbers', () => {
  localStorage.setItem('selectedPlan', '{"id":7,"user_id":3}');
  expect(storage.read('selectedPlan')).toEqual({ id: '7', user_id: '3' });
  store({ ...user, id: 3 });
  expect(storage.read('currentUser')?.id).toBe('3');
  localStorage.setItem('userPlan', '{"id":7,"name":"Month","user_id":3}');
  expect(storage.read('userPlan')).toMatchObject({ id: '7', user_id: '3' });
});

it('does not call a user with a number as id outdated', () => {
  store({ ...user, id: 3 });
  expect(isStoredUserOutdated()).toBe(false);
});

it('reads a cart of the form that the specification shows', () => {
  const sale = { items: [{ quantity: 2, count: 500, rate: 600 }], customer: {}, type: 1 };
  localStorage.setItem('currentSale', JSON.stringify(sale));
  expect(storage.read('currentSale')?.items).toEqual([{ ...sale.items[0], id: '' }]);
});

it('reads records whose texts are missing', () => {
  localStorage.setItem('switchedAs', '{"role":"Client","user_id":3,"phone":null}');
  expect(storage.read('switchedAs')).toMatchObject({ user_id: '3', phone: '', email: '' });
  localStorage.setItem('userPlan', '{"id":7,"user_id":3}');
  expect(storage.read('userPlan')).toMatchObject({ id: '7', name: '' });
});

it.each(['"quarter"', '7', '{"name":"Quarter"}'])(
  'keeps a chosen plan stored as %s through a sign-in, unchanged',
  (text) => {
    localStorage.setItem('selectedPlan', text);
    localStorage.setItem('navigateToBilling', '1');
    expect(storage.read('selectedPlan')).not.toBeNull();
    storage.clear({ keepsPlan: true });
    expect(localStorage.getItem('selectedPlan')).toBe(text);
    expect(localStorage.getItem('navigateToBilling')).toBe('1');
  },
);

describe('the switched-as record of a tab', () => {
  const record = (role: 'Admin' | 'Client', user_id: string) => ({
    role,
    user_id,
    first_name: '',
    last_name: '',
    phone: '',
    email: '',
    profile_photo: null,
  });
  const change = (role: 'Admin' | 'Client', user_id: string) =>
    localStorage.setItem('switchedAs', JSON.stringify(record(role, user_id)));
  const subject = () => storage.read('switchedAs')?.user_id;
  const shared = () => JSON.parse(localStorage.getItem('switchedAs') ?? 'null')?.user_id;

  beforeEach(() => {
    localStorage.setItem('userToken', '"token"');
    storage.write('switchedAs', record('Client', 'bella'));
  });

  it('follows a record that was changed outside the app, from the next load on', () => {
    change('Client', 'max');
    expect(subject()).toBe('bella');
    adoptSharedView();
    expect(subject()).toBe('max');
    adoptSharedView();
    expect(subject()).toBe('max');
  });

  it('is gone after a load when the record was removed', () => {
    localStorage.removeItem('switchedAs');
    expect(subject()).toBe('bella');
    adoptSharedView();
    expect(storage.read('switchedAs')).toBeNull();
  });

  it('keeps its own record when another tab has changed the shared one', () => {
    change('Client', 'max');
    noteSharedView(localStorage.getItem('switchedAs'));
    adoptSharedView();
    expect(subject()).toBe('bella');
    expect(shared()).toBe('max');
    shareView();
    expect(shared()).toBe('bella');
  });

  it('does not overwrite a record that was changed outside the app', () => {
    change('Client', 'max');
    shareView();
    expect(shared()).toBe('max');
  });

  it('takes the shared record in a new tab and in a new session', () => {
    globalThis.sessionStorage = new MemoryStorage();
    adoptSharedView();
    expect(subject()).toBe('bella');
    change('Admin', 'another');
    localStorage.setItem('userToken', '"next"');
    adoptSharedView();
    expect(subject()).toBe('another');
  });
});
