import { useRef, useState } from 'react';
import { storage } from '../../../lib/storage.ts';
import * as texts from '../../../texts/identity.ts';
import { FieldNote } from '../../../ui/form/field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { Strength } from './estimate-strength.ts';
import styles from './new-password-field.module.css';

export function NewPasswordField({ label = texts.password }: { label?: string }) {
  const { strength, estimateField } = useStrength();
  return (
    <div className={styles.field}>
      <TextField
        label={label}
        name="password"
        type="password"
        autoComplete="new-password"
        hint={texts.passwordRule}
        onChange={(event) => void estimateField(event.target)}
      />
      {strength && <Bars score={strength.score} />}
      <FieldNote role="status" hint={strength?.words} />
    </div>
  );
}

/** Keeps the place of the estimate while the estimator loads: a button that moves loses a click. */
const pending = { score: -1, words: '\u00a0' };

function Bars({ score }: { score: number }) {
  return (
    <span className={styles.strength} data-score={score} aria-hidden>
      {texts.strengths.map((word, index) => (
        <span key={word} className={index <= score ? styles.reached : undefined} />
      ))}
    </span>
  );
}

/** Estimates password strength while typing. The estimator is large and loads on demand. */
function useStrength() {
  const [strength, setStrength] = useState<typeof pending | null>(null);
  const lastInput = useRef(0);
  async function estimateField(field: HTMLInputElement): Promise<void> {
    lastInput.current += 1;
    const input = lastInput.current;
    if (field.value === '') return setStrength(null);
    setStrength((shown) => shown ?? pending);
    const estimated = await estimateLater(field.value, personalWords(field.form));
    // Ignore estimates of older input.
    if (input === lastInput.current) setStrength(estimated && described(estimated));
  }
  return { strength, estimateField };
}

function described({ score, hint }: Strength) {
  return { score, words: texts.strengthOf({ strength: texts.strengths[score], hint }) };
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
