import * as texts from '../../../texts/identity.ts';
import { FieldNote } from '../../../ui/form/field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { Strength } from './estimate-strength.ts';
import styles from './new-password-field.module.css';
import { useStrength } from './use-strength.ts';

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
      <FieldNote
        role="status"
        hint={
          strength
            ? texts.strengthOf({ strength: texts.strengths[strength.score], hint: strength.hint })
            : undefined
        }
      />
    </div>
  );
}

function Bars({ score }: Pick<Strength, 'score'>) {
  return (
    <span className={styles.strength} data-score={score} aria-hidden>
      {texts.strengths.map((word, index) => (
        <span key={word} className={index <= score ? styles.reached : undefined} />
      ))}
    </span>
  );
}
