import { billingAddress, type User, user } from '@rowmill/contract';
import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';

/**
 * The one place that reads and writes local storage. Its content may be old, foreign or broken, so
 * it is parsed, and what does not parse counts as absent.
 */

/** Ids are texts here; a number that was stored for one counts too. */
const id = z.pipe(z.union([z.string(), z.number()]), z.transform(String));

/** Shown only: a text that is missing must not make the rest unreadable. */
const shownText = z.catch(z.string(), '');

const switchedAs = z.object({
  role: z.enum(['Admin', 'Client']),
  user_id: id,
  first_name: shownText,
  last_name: shownText,
  phone: shownText,
  email: shownText,
  profile_photo: z.catch(z.nullable(z.string()), null),
});
export type SwitchedAs = z.infer<typeof switchedAs>;

const saleLine = z.object({
  /** Empty: no pack on sale, so the page offers the present ones. */
  id: z._default(id, ''),
  quantity: z.number(),
  count: z.number(),
  rate: z.number(),
  name: z.optional(z.string()),
});

const sale = z.object({
  items: z.array(saleLine),
  customer: z.catch(z.optional(z.object({ user_id: id })), undefined),
  type: z.catch(z.optional(z.string()), undefined),
  /** The order made of this cart, until it is known to be paid or the cart changes. */
  order_id: z.optional(z.string()),
});

/** For a user stored by another version: what is missing is fetched at the next start. */
const unknownUser: Omit<User, 'id'> = {
  first_name: '',
  last_name: '',
  phone: '',
  email: '',
  email_verified_at: null,
  role_id: 0,
  profile_photo: null,
};

const storedUser = z.pipe(
  z.looseObject({ id }),
  z.transform((stored): User => {
    const readable = Object.entries(user.shape).flatMap(([name, shape]) => {
      const parsed = z.safeParse(shape, stored[name]);
      return parsed.success ? [[name, parsed.data]] : [];
    });
    return { ...unknownUser, id: stored.id, ...Object.fromEntries(readable) };
  }),
);

const token = z.string();

/** By the keys of local storage that the specification names. */
export const shapes = {
  userToken: token,
  appToken: token,
  currentUser: storedUser,
  switchedAs,
  userPlan: z.looseObject({ id, name: shownText, user_id: id }),
  billingAddress,
  currentSale: sale,
  selectedPlan: z.union([
    z.looseObject({ id: z._default(id, ''), order_id: z.optional(id), user_id: z.optional(id) }),
    /** The id alone. */
    z.pipe(
      id,
      z.transform((id): { id: string; order_id?: string; [key: string]: unknown } => ({ id })),
    ),
  ]),
  navigateToBilling: z.pipe(
    z.union([z.literal(true), z.literal('true'), z.literal(1)]),
    z.transform((): true => true),
  ),
} as const;

type Key = keyof typeof shapes;
type Value<K extends Key> = z.output<(typeof shapes)[K]>;

/** Kept in the tab: what a person is writing, and the page to return to after signing in. */
export const draftKey = 'askDraft';
export const correctionsKey = 'corrections';
export const nextKey = 'nextPage';

const chosenPlanKeys = ['selectedPlan', 'navigateToBilling'];

const listeners = new Set<() => void>();

export const storage = {
  read<K extends Key>(key: K): Value<K> | null {
    const text = textOf(key);
    return text === null ? null : parse(key, text);
  },
  write<K extends Key>(key: K, value: Value<K>): void {
    localStorage.setItem(key, JSON.stringify(value));
    if (key === 'switchedAs') rememberView(JSON.stringify(value));
    notify();
  },
  remove(key: Key): void {
    localStorage.removeItem(key);
    if (key === 'switchedAs') sessionStorage.removeItem(key);
    notify();
  },
  /**
   * Drafts and the next page belong to the person, who finds them again after signing in. The
   * chosen plan stays exactly as it is stored.
   */
  clear({ keepsDrafts = false, keepsPlan = false } = {}): void {
    const ofTab = keepsDrafts ? read(sessionStorage, [draftKey, correctionsKey, nextKey]) : [];
    const ofPlan = keepsPlan ? read(localStorage, chosenPlanKeys) : [];
    localStorage.clear();
    sessionStorage.clear();
    for (const [key, text] of ofTab) sessionStorage.setItem(key, text);
    for (const [key, text] of ofPlan) localStorage.setItem(key, text);
    notify();
  },
  isEmpty(): boolean {
    return localStorage.length === 0;
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Only changes by other tabs. */
  subscribeToOtherTabs(listener: () => void): () => void {
    window.addEventListener('storage', listener);
    return () => window.removeEventListener('storage', listener);
  },
};

function read(from: Storage, keys: readonly string[]): (readonly [string, string])[] {
  return keys.flatMap((key) => {
    const text = from.getItem(key);
    return text === null ? [] : [[key, text] as const];
  });
}

/** Whether the stored user lacks something that this version of the app needs. */
export function isStoredUserOutdated(): boolean {
  const stored = parseJson(textOf('currentUser'));
  return stored !== null && !z.extend(user, { id }).safeParse(stored).success;
}

/**
 * Tabs share local storage, but each acts for the person that was chosen in it. A tab remembers its
 * own record for the session it was made in, and the last shared record that it wrote or was told
 * of by another tab.
 */
function textOf(key: Key): string | null {
  const shared = localStorage.getItem(key);
  if (key !== 'switchedAs') return shared;
  const own = ownView();
  if (own === null && shared !== null) rememberView(shared);
  return own?.record ?? shared;
}

interface View {
  token: string | null;
  record: string;
  lastShared: string | null;
}

function ownView(): View | null {
  const view = parseJson(sessionStorage.getItem('switchedAs')) as View | null;
  return view?.token === localStorage.getItem('userToken') ? view : null;
}

function rememberView(record: string, lastShared: string | null = record): void {
  const view: View = { token: localStorage.getItem('userToken'), record, lastShared };
  sessionStorage.setItem('switchedAs', JSON.stringify(view));
}

/** When a page loads: the tab follows the shared record if no tab of the app wrote it. */
export function adoptSharedView(): void {
  const shared = localStorage.getItem('switchedAs');
  if (ownView()?.lastShared !== shared) sessionStorage.removeItem('switchedAs');
}

/** Remembers what another tab wrote to the shared record. */
export function noteSharedView(shared: string | null): void {
  const own = ownView();
  if (own) rememberView(own.record, shared);
}

/** A tab that gets the focus shares its record, so that new tabs open like the last one used. */
export function shareView(): void {
  const own = ownView();
  if (own === null || own.lastShared !== localStorage.getItem('switchedAs')) return;
  localStorage.setItem('switchedAs', own.record);
  rememberView(own.record);
}

function parse<K extends Key>(key: K, text: string): Value<K> | null {
  const value = parseJson(text);
  const isBareToken = shapes[key] === token && typeof value !== 'string';
  const parsed = shapes[key].safeParse(isBareToken ? bareToken(text) : value);
  return parsed.success ? (parsed.data as Value<K>) : null;
}

/** A token that was stored without the quotes of JSON counts too. */
function bareToken(text: string): string | null {
  return /^[\w.~+/=-]+$/.test(text) && !['null', 'undefined', 'true', 'false'].includes(text)
    ? text
    : null;
}

/** Null when it is not JSON. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function notify(): void {
  for (const listener of listeners) listener();
}

/** When the app starts. It throws where the browser forbids storage. */
export function followOtherTabs(): void {
  adoptSharedView();
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'switchedAs') noteSharedView(newValue);
    notify();
  });
  window.addEventListener('focus', shareView);
}

/** The value of a key, kept up to date also when another tab changes it. */
export function useStored<K extends Key>(key: K): Value<K> | null {
  const text = useSyncExternalStore(storage.subscribe, () => textOf(key));
  return text === null ? null : parse(key, text);
}
