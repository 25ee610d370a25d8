import { billingAddress, storageKeys, type User, user } from '@rowmill/contract';
import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';

/**
 * The one place that reads and writes local storage. Its content may be old, foreign or broken, so it is parsed, and
 * what does not parse counts as absent.
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
  customer: z.catch(z.optional(z.object({ user_id: z.string() })), undefined),
  type: z.optional(z.string()),
  /** The order made of this cart, until it is known to be paid or the cart changes. */
  order_id: z.optional(z.string()),
});

/** For a user stored by another version of the app: what is missing or unreadable is fetched at the next start. */
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
  z.looseObject({ id: z.string() }),
  z.transform((stored): User => {
    const readable = Object.entries(user.shape).flatMap(([name, shape]) => {
      const parsed = z.safeParse(shape, stored[name]);
      return parsed.success ? [[name, parsed.data]] : [];
    });
    return { ...unknownUser, id: stored.id, ...Object.fromEntries(readable) };
  }),
);

const shapes = {
  userToken: z.string(),
  appToken: z.string(),
  currentUser: storedUser,
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
type Value<K extends Key> = z.output<(typeof shapes)[K]>;

const listeners = new Set<() => void>();

export const storage = {
  read<K extends Key>(key: K): Value<K> | null {
    const text = textOf(key);
    return text === null ? null : parse(key, text);
  },
  write<K extends Key>(key: K, value: Value<K>): void {
    localStorage.setItem(storageKeys[key], JSON.stringify(value));
    if (key === 'switchedAs') rememberView(JSON.stringify(value));
    notify();
  },
  remove(key: Key): void {
    localStorage.removeItem(storageKeys[key]);
    if (key === 'switchedAs') sessionStorage.removeItem(key);
    notify();
  },
  clear(): void {
    localStorage.clear();
    // Drafts and the like are the person's too.
    sessionStorage.clear();
    notify();
  },
  isEmpty(): boolean {
    return localStorage.length === 0;
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Whether the stored user lacks something that this version of the app needs. */
export function isStoredUserOutdated(): boolean {
  const stored = parseJson(textOf('currentUser'));
  return stored !== null && !user.safeParse(stored).success;
}

/**
 * Tabs share local storage, but each acts for the person that was chosen in it. A tab remembers its own choice for the
 * session it was made in, and writes it back to the shared place when it gets the focus.
 */
function textOf(key: Key): string | null {
  const shared = localStorage.getItem(storageKeys[key]);
  if (key !== 'switchedAs') return shared;
  const own = ownView();
  if (own === null && shared !== null) rememberView(shared);
  return own ?? shared;
}

function ownView(): string | null {
  const [token, view = null] = sessionStorage.getItem('switchedAs')?.split('\n') ?? [];
  return token === localStorage.getItem(storageKeys.userToken) ? view : null;
}

function rememberView(view: string): void {
  sessionStorage.setItem('switchedAs', `${localStorage.getItem(storageKeys.userToken)}\n${view}`);
}

function shareView(): void {
  const own = ownView();
  if (own !== null) localStorage.setItem(storageKeys.switchedAs, own);
}

function parse<K extends Key>(key: K, text: string): Value<K> | null {
  const parsed = shapes[key].safeParse(parseJson(text));
  return parsed.success ? (parsed.data as Value<K>) : null;
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function notify(): void {
  for (const listener of listeners) listener();
}

if (typeof window !== 'undefined') {
  window.addEventListener('storage', notify);
  window.addEventListener('focus', shareView);
}

/** The value of a key, kept up to date also when another tab changes it. */
export function useStored<K extends Key>(key: K): Value<K> | null {
  const text = useSyncExternalStore(storage.subscribe, () => textOf(key));
  return text === null ? null : parse(key, text);
}
