import { TextField } from '../../../ui/text-field.tsx';
import type { OptionProblems } from '../ask-query.ts';
import type { OptionTexts } from '../draft.ts';
import { TextArea } from './text-area.tsx';

interface Props {
  options: OptionTexts;
  problems: OptionProblems;
  onChange: (part: Partial<OptionTexts>) => void;
}

const fields = [
  { name: 'temperature', label: 'Temperature', hint: '0 to 2. Lower is steadier, higher is freer.', inputMode: 'decimal' },
  { name: 'maxTokens', label: 'Longest answer, in tokens', hint: 'A token is about four letters.', inputMode: 'numeric' },
  { name: 'limit', label: 'Only the first rows', hint: 'How many. Empty for all.', inputMode: 'numeric' },
  {
    name: 'outputs',
    label: 'Columns of the answer',
    hint: 'Names, separated by commas. Empty for one column.',
    inputMode: 'text',
  },
] as const satisfies readonly { name: keyof OptionTexts; label: string; hint: string; inputMode: string }[];

/** What most people leave alone. It opens by itself where something in it must be corrected. */
export function OptionsForm({ options, problems, onChange }: Props) {
  const hasProblems = Object.keys(problems).length > 0;
  return (
    <details className="ask-details" open={hasProblems || undefined}>
      <summary>Options</summary>
      <div className="stack">
        <TextArea
          label="Instruction before every question"
          name="system"
          rows={3}
          value={options.system}
          onChange={({ target }) => onChange({ system: target.value })}
          problem={problems.system}
          hint="Such as who is answering, for whom, and in which form."
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
