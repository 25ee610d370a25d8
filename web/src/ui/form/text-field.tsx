import { type InputHTMLAttributes, useState } from 'react';
import * as texts from '../../texts/ui.ts';
import { Button } from '../button.tsx';
import styles from './field.module.css';
import { Field } from './field.tsx';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  name: string;
  problem?: string | undefined;
  hint?: string;
}

/** An input. A password can be shown. */
export function TextField({ label, problem, hint, type = 'text', ...props }: Props) {
  const [isShown, setShown] = useState(false);
  if (type !== 'password')
    return (
      <Field label={label} name={props.name} problem={problem} hint={hint}>
        {(control) => <input {...props} {...control} type={type} />}
      </Field>
    );
  return (
    <Field label={label} name={props.name} problem={problem} hint={hint}>
      {(control) => (
        <span className={styles.password}>
          <input {...props} {...control} type={isShown ? 'text' : type} />
          <Button
            variant="secondary"
            aria-pressed={isShown}
            aria-label={texts.showField(label)}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? texts.hide : texts.show}
          </Button>
        </span>
      )}
    </Field>
  );
}
