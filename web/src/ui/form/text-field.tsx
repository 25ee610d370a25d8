import { type InputHTMLAttributes, useState } from 'react';
import * as texts from '../../texts/ui.ts';
import { Button } from '../button.tsx';
import styles from './field.module.css';
import { Field } from './field.tsx';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  name: string;
  problem?: string;
  hint?: string;
}

/** An input. A password can be shown. The browser fills it in only when its kind is named. */
export function TextField({ label, problem, hint, type = 'text', ...given }: Props) {
  const props = { autoComplete: 'off', ...given };
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

type NumberProps = Omit<Props, 'defaultValue'> & {
  defaultValue?: string | number | null;
};

export function NumberField({ defaultValue, ...props }: NumberProps) {
  return (
    <TextField
      inputMode="numeric"
      maxLength={20}
      {...props}
      defaultValue={defaultValue ?? undefined}
    />
  );
}
