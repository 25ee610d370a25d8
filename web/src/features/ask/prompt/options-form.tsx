import * as texts from '../../../texts/ask.ts';
import { TextArea } from '../../../ui/form/text-area.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { Disclosure } from '../disclosure.tsx';
import type { DraftOptions } from '../draft.ts';
import type { OptionProblems } from './options.ts';
import styles from './prompt.module.css';

interface Props {
  options: DraftOptions;
  problems: OptionProblems;
  onChange: (part: Partial<DraftOptions>) => void;
}

const fields = [
  { name: 'temperature', ...texts.temperature, inputMode: 'decimal' },
  { name: 'maxTokens', ...texts.maximumLength, inputMode: 'numeric' },
  { name: 'limit', ...texts.rowLimit, inputMode: 'numeric' },
  { name: 'outputs', ...texts.answerColumns, inputMode: 'text' },
] as const satisfies readonly {
  name: keyof DraftOptions;
  label: string;
  hint: string;
  inputMode: string;
}[];

/** Settings that most people leave alone. Opens by itself when one is invalid. */
export function OptionsForm({ options, problems, onChange }: Props) {
  const hasProblems = Object.keys(problems).length > 0;
  return (
    <Disclosure title={texts.advanced} forceOpen={hasProblems}>
      <div className="stack">
        <TextArea
          {...texts.systemInstruction}
          name="system"
          rows={3}
          value={options.system}
          onChange={({ target }) => onChange({ system: target.value })}
          problem={problems.system}
        />
        <div className={`grid-2 ${styles.options}`}>
          {fields.map(({ name, ...field }) => (
            <TextField
              key={name}
              {...field}
              name={name}
              autoComplete="off"
              value={options[name]}
              onChange={({ target }) => onChange({ [name]: target.value })}
              problem={problems[name]}
            />
          ))}
        </div>
      </div>
    </Disclosure>
  );
}
