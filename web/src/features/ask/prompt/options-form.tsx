import * as texts from '../../../texts/ask.ts';
import { TextArea } from '../../../ui/text-area.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { OptionTexts } from '../draft.ts';
import type { OptionProblems } from './options.ts';

interface Props {
  options: OptionTexts;
  problems: OptionProblems;
  onChange: (part: Partial<OptionTexts>) => void;
}

const fields = [
  { name: 'temperature', ...texts.temperature, inputMode: 'decimal' },
  { name: 'maxTokens', ...texts.longestAnswer, inputMode: 'numeric' },
  { name: 'limit', ...texts.onlyFirstRows, inputMode: 'numeric' },
  { name: 'outputs', ...texts.answerColumns, inputMode: 'text' },
] as const satisfies readonly {
  name: keyof OptionTexts;
  label: string;
  hint: string;
  inputMode: string;
}[];

/** What most people leave alone. It opens by itself where something in it must be corrected. */
export function OptionsForm({ options, problems, onChange }: Props) {
  const hasProblems = Object.keys(problems).length > 0;
  return (
    <details className="ask-details" open={hasProblems || undefined}>
      <summary>{texts.options}</summary>
      <div className="stack">
        <TextArea
          {...texts.instruction}
          name="system"
          rows={3}
          value={options.system}
          onChange={({ target }) => onChange({ system: target.value })}
          problem={problems.system}
        />
        <div className="two">
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
    </details>
  );
}
