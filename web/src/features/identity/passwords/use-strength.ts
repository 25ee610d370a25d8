import { useRef, useState } from 'react';
import { storage } from '../../../lib/storage.ts';
import type { Strength } from './estimate-strength.ts';

/** Estimates password strength while typing. The estimator is large and loads on demand. */
export function useStrength() {
  const [strength, setStrength] = useState<Strength | null>(null);
  const lastInput = useRef(0);
  async function estimateField(field: HTMLInputElement): Promise<void> {
    lastInput.current += 1;
    const input = lastInput.current;
    const estimated =
      field.value === '' ? null : await estimateLater(field.value, personalWords(field.form));
    // Ignore estimates of older input.
    if (input === lastInput.current) setStrength(estimated);
  }
  return { strength, estimateField };
}

/** Offline it returns nothing; the server decides anyway. */
async function estimateLater(
  password: string,
  personal: readonly string[],
): Promise<Strength | null> {
  const estimator = await import('./estimate-strength.ts').catch(() => null);
  return estimator?.estimate(password, personal) ?? null;
}

/** The person's own words: from the same form, or from the signed-in account. */
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
