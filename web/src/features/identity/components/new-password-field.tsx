import { TextField } from '../../../ui/text-field.tsx';
import type { Strength } from '../estimate-strength.ts';
import { useStrength } from '../use-strength.ts';

const words = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const;

/** A password that is being chosen, with a word on how hard it is to guess and on what would help. */
export function NewPasswordField({ label = 'Password', problem }: { label?: string; problem?: string | undefined }) {
  const { strength, judge } = useStrength();
  return (
    <div className="field">
      <TextField
        label={label}
        name="password"
        type="password"
        autoComplete="new-password"
        problem={problem}
        hint="8 to 128 characters of any kind."
        onChange={(event) => void judge(event.target)}
      />
      {strength && <Bars score={strength.score} />}
      <span className="hint" aria-live="polite">
        {strength && `${words[strength.score]} password. ${strength.hint}`}
      </span>
    </div>
  );
}

function Bars({ score }: Pick<Strength, 'score'>) {
  return (
    <span className="strength" data-score={score} aria-hidden>
      {words.map((word, index) => (
        <span key={word} className={index <= score ? 'reached' : undefined} />
      ))}
    </span>
  );
}
