import { afterAll, beforeEach, expect, it } from 'vitest';
import { MemoryStorage } from '../../harness/memory-storage.ts';
import { actAsAdmin, actAsClient, roleSwitchEvent } from './acting.ts';
import { signIn } from './session.ts';
import { storage } from './storage.ts';

/** Each tab has its own session storage; they share the local one. */
function tab() {
  const own = new MemoryStorage();
  return {
    focus: () => {
      globalThis.sessionStorage = own;
    },
  };
}

const admin = {
  id: 'admin',
  first_name: 'Adam',
  last_name: 'Kelly',
  phone: '',
  email: 'admin@demo.test',
  email_verified_at: '2026-01-01T00:00:00Z',
  role_id: 2,
  profile_photo: null,
};
const bella = { ...admin, id: 'bella', first_name: 'Bella', role_id: 1 };
const max = { ...admin, id: 'max', first_name: 'Max', role_id: 1 };
let switches = 0;
const [first, second] = [tab(), tab()];
const subject = () => storage.read('switchedAs')?.user_id;

// A worker runs several files, and the embedded database takes a window for a browser.
afterAll(() => Reflect.deleteProperty(globalThis, 'window'));

beforeEach(() => {
  globalThis.localStorage = new MemoryStorage();
  globalThis.window = new EventTarget() as unknown as Window & typeof globalThis;
  window.addEventListener(roleSwitchEvent, () => switches++);
  first.focus();
  signIn({ status: true, user: admin, app_token: 'app', user_token: 'token' });
  switches = 0;
});

it('stores the record in the specified form and fires once per change', () => {
  actAsClient(bella);
  actAsClient(bella);
  expect(JSON.parse(localStorage.getItem('switchedAs') ?? '')).toEqual({
    role: 'Client',
    user_id: 'bella',
    first_name: 'Bella',
    last_name: 'Kelly',
    phone: '',
    email: 'admin@demo.test',
    profile_photo: null,
  });
  actAsAdmin();
  expect(storage.read('switchedAs')?.role).toBe('Admin');
  expect(switches).toBe(2);
});

it('lets each tab act for the person chosen in it', () => {
  actAsClient(bella);
  second.focus();
  expect(subject()).toBe('bella');
  actAsClient(max);
  first.focus();
  expect(subject()).toBe('bella');
  second.focus();
  expect(subject()).toBe('max');
});

it('forgets the choice of an ended session in every tab', () => {
  actAsClient(bella);
  second.focus();
  signIn({
    status: true,
    user: { ...admin, id: 'other' },
    app_token: 'app',
    user_token: 'another',
  });
  expect(subject()).toBe('other');
  first.focus();
  expect(subject()).toBe('other');
});

it('gives a client no admin view to return to', () => {
  signIn({ status: true, user: bella, app_token: 'app', user_token: 'third' });
  actAsAdmin();
  expect(subject()).toBeUndefined();
});

it('drops the cart and the plan chosen for another person and keeps those of the same', () => {
  storage.write('currentSale', { items: [], customer: { user_id: 'admin' } });
  storage.write('selectedPlan', { id: 'quarter' });
  actAsClient(admin);
  expect(storage.read('currentSale')).not.toBeNull();
  expect(storage.read('selectedPlan')).not.toBeNull();
  actAsClient(bella);
  expect(storage.read('currentSale')).toBeNull();
  expect(storage.read('selectedPlan')).toBeNull();
});
