import { type InputHTMLAttributes, useId, useState } from 'react';
import * as texts from '../../texts/ui.ts';
import { Button } from '../button.tsx';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  name: string;
  problem?: string | undefined;
  hint?: string;
}

/** A labelled input whose problem stands beside it and is read out with it. A password can be shown. */
export function TextField({ label, problem, hint, type = 'text', ...props }: Props) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const isPassword = type === 'password';
  const input = (
    <input
      {...props}
      id={id}
      type={isPassword && isShown ? 'text' : type}
      aria-invalid={!!problem}
      aria-describedby={`${id}-note`}
    />
  );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {isPassword ? (
        <span className="with-button">
          {input}
          <Button
            variant="secondary"
            aria-pressed={isShown}
            aria-label={texts.showField(label)}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? texts.hide : texts.show}
          </Button>
        </span>
      ) : (
        input
      )}
      <span id={`${id}-note`} className={problem ? 'problem' : 'hint'}>
        {problem ?? hint}
      </span>
    </div>
  );
}
