import { beforeEach, expect, it } from 'vitest';
import { actAsAdmin, actAsClient, roleSwitchEvent } from './acting.ts';
import { signIn } from './session.ts';
import { storage } from './storage.ts';

class MemoryStorage extends Map<string, string> {
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => void this.set(key, value);
  removeItem = (key: string) => void this.delete(key);
}

/** Each tab has a session storage of its own; the local one is everybody's. */
function tab() {
  const own = new MemoryStorage() as unknown as Storage;
  return { look: () => (globalThis.sessionStorage = own) };
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
const whom = () => storage.read('switchedAs')?.user_id;

beforeEach(() => {
  globalThis.localStorage = new MemoryStorage() as unknown as Storage;
  globalThis.window = new EventTarget() as unknown as Window & typeof globalThis;
  window.addEventListener(roleSwitchEvent, () => switches++);
  first.look();
  signIn({ status: true, user: admin, app_token: 'app', user_token: 'token' });
  switches = 0;
});

it('keeps the record as the spec has it, and fires once for each change', () => {
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

it('lets each tab act as whom was chosen in it', () => {
  actAsClient(bella);
  second.look();
  expect(whom()).toBe('bella');
  actAsClient(max);
  first.look();
  expect(whom()).toBe('bella');
  second.look();
  expect(whom()).toBe('max');
});

it('forgets the choice of a session that has ended, in every tab', () => {
  actAsClient(bella);
  second.look();
  signIn({
    status: true,
    user: { ...admin, id: 'other' },
    app_token: 'app',
    user_token: 'another',
  });
  expect(whom()).toBe('other');
  first.look();
  expect(whom()).toBe('other');
});

it('gives nobody who is no admin a view to go back to', () => {
  signIn({ status: true, user: bella, app_token: 'app', user_token: 'third' });
  actAsAdmin();
  expect(whom()).toBeUndefined();
});
