import { useState } from 'react';
import { TextField } from '../../../ui/text-field.tsx';

const words = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const;

/** A password that is being chosen, with a word on how hard it is to guess. The judge is large and comes when it is needed. */
export function NewPasswordField({ label = 'Password', problem }: { label?: string; problem?: string | undefined }) {
  const [strength, setStrength] = useState('');
  async function judge(password: string) {
    setStrength(password === '' ? '' : `${words[await scoreOf(password)]} password. `);
  }
  return (
    <div aria-live="polite">
      <TextField
        label={label}
        name="password"
        type="password"
        autoComplete="new-password"
        problem={problem}
        hint={`${strength}8 to 128 characters of any kind.`}
        onChange={(event) => void judge(event.target.value)}
      />
    </div>
  );
}

async function scoreOf(password: string): Promise<0 | 1 | 2 | 3 | 4> {
  const { estimate } = await import('../estimate-strength.ts');
  return estimate(password);
}
