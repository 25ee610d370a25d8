import { useRef, useState } from 'react';
import { storage } from '../../lib/storage.ts';
import type { Strength } from './estimate-strength.ts';

/** Judges a password while it is typed. The judge is large and comes when it is needed. */
export function useStrength() {
  const [strength, setStrength] = useState<Strength | null>(null);
  const lastTurn = useRef(0);
  async function judge(field: HTMLInputElement): Promise<void> {
    lastTurn.current += 1;
    const turn = lastTurn.current;
    const verdict =
      field.value === '' ? null : await estimateLater(field.value, personalWords(field.form));
    // A judgement of what was there before must not replace that of what is there now.
    if (turn === lastTurn.current) setStrength(verdict);
  }
  return { strength, judge };
}

/** Out of reach it judges nothing: the server has the last word on a password, not this hint. */
async function estimateLater(
  password: string,
  personal: readonly string[],
): Promise<Strength | null> {
  const judge = await import('./estimate-strength.ts').catch(() => null);
  return judge?.estimate(password, personal) ?? null;
}

/** What belongs to the person: typed in the same form, or known of who is signed in. */
function personalWords(form: HTMLFormElement | null): string[] {
  const typed = form ? new FormData(form) : new FormData();
  const user = storage.read('currentUser');
  const words = ['first_name', 'last_name', 'email'].map((name) => String(typed.get(name) ?? ''));
  return [
    ...words,
    user?.first_name ?? '',
    user?.last_name ?? '',
    user?.email ?? '',
    'rowmill',
  ].filter(Boolean);
}
