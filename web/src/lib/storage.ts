import { billingAddress, storageKeys, user } from '@rowmill/contract';
import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';

/**
 * The one place that reads and writes local storage. What is found there may be old, foreign or broken, so it is parsed,
 * and what does not parse counts as absent.
 */
const switchedAs = z.object({
  role: z.enum(['Admin', 'Client']),
  user_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  phone: z.string(),
  email: z.string(),
  profile_photo: z.nullable(z.string()),
});
export type SwitchedAs = z.infer<typeof switchedAs>;

const saleLine = z.object({
  id: z.string(),
  quantity: z.number(),
  count: z.number(),
  rate: z.number(),
  name: z.optional(z.string()),
});

const sale = z.object({
  items: z.array(saleLine),
  customer: z.optional(z.unknown()),
  type: z.optional(z.string()),
  /** The order that was made of it, until that is known to be paid or the sale is changed. */
  order_id: z.optional(z.string()),
});

const shapes = {
  userToken: z.string(),
  appToken: z.string(),
  currentUser: user,
  switchedAs,
  userPlan: z.looseObject({ id: z.string(), name: z.string(), user_id: z.string() }),
  billingAddress,
  currentSale: sale,
  selectedPlan: z.looseObject({
    id: z.string(),
    order_id: z.optional(z.string()),
    user_id: z.optional(z.string()),
  }),
  navigateToBilling: z.boolean(),
} as const satisfies Record<keyof typeof storageKeys, unknown>;

type Key = keyof typeof shapes;
type Value<K extends Key> = z.infer<(typeof shapes)[K]>;

const listeners = new Set<() => void>();

export const storage = {
  read<K extends Key>(key: K): Value<K> | null {
    const text = textOf(key);
    return text === null ? null : parse(key, text);
  },
  write<K extends Key>(key: K, value: Value<K>): void {
    localStorage.setItem(storageKeys[key], JSON.stringify(value));
    if (key === 'switchedAs') keepView(JSON.stringify(value));
    announce();
  },
  remove(key: Key): void {
    localStorage.removeItem(storageKeys[key]);
    if (key === 'switchedAs') sessionStorage.removeItem(key);
    announce();
  },
  clear(): void {
    localStorage.clear();
    // A tab keeps drafts and the like, which are the person's too.
    sessionStorage.clear();
    announce();
  },
  isEmpty(): boolean {
    return localStorage.length === 0;
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/**
 * Tabs share the local storage, but each acts as whom was chosen in it: it keeps its own choice, for as long as the session
 * in which it was made, and brings it back to the shared place when a person comes to it.
 */
function textOf(key: Key): string | null {
  const shared = localStorage.getItem(storageKeys[key]);
  if (key !== 'switchedAs') return shared;
  const own = ownView();
  if (own === null && shared !== null) keepView(shared);
  return own ?? shared;
}

function ownView(): string | null {
  const [token, view = null] = sessionStorage.getItem('switchedAs')?.split('\n') ?? [];
  return token === localStorage.getItem(storageKeys.userToken) ? view : null;
}

function keepView(view: string): void {
  sessionStorage.setItem('switchedAs', `${localStorage.getItem(storageKeys.userToken)}\n${view}`);
}

function shareView(): void {
  const own = ownView();
  if (own !== null) localStorage.setItem(storageKeys.switchedAs, own);
}

function parse<K extends Key>(key: K, text: string): Value<K> | null {
  try {
    const parsed = shapes[key].safeParse(JSON.parse(text));
    return parsed.success ? (parsed.data as Value<K>) : null;
  } catch {
    return null;
  }
}

function announce(): void {
  for (const listener of listeners) listener();
}

if (typeof window !== 'undefined') {
  window.addEventListener('storage', announce);
  window.addEventListener('focus', shareView);
}

/** The value of a key, kept up to date also when another tab changes it. */
export function useStored<K extends Key>(key: K): Value<K> | null {
  const text = useSyncExternalStore(storage.subscribe, () => textOf(key));
  return text === null ? null : parse(key, text);
}
