import * as texts from '../../texts/ask.ts';
import { TextArea } from '../../ui/form/text-area.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { useTakenOptions } from './model-select.tsx';
import type { OptionProblems, PromptOptions } from './options.ts';

type FieldName = 'temperature' | 'maxTokens' | 'limit';

interface Props {
  names: readonly FieldName[];
  options: PromptOptions;
  problems: OptionProblems;
  onChange: (part: Partial<PromptOptions>) => void;
}

const fields = {
  temperature: { ...texts.temperature, inputMode: 'decimal' },
  maxTokens: { ...texts.maximumLength, inputMode: 'numeric' },
  limit: { ...texts.rowLimit, inputMode: 'numeric' },
} as const satisfies Record<FieldName, { label: string; hint: string; inputMode: string }>;

const optionOf = { temperature: 'temperature', maxTokens: 'max_tokens' } as const;

/** What the model is asked with beside the prompt, as far as it takes it. */
export function OptionFields({ names, options, problems, onChange }: Props) {
  const isTaken = useTakenOptions(options.model);
  const shown = names.filter(
    (name) => name === 'limit' || options[name] !== '' || isTaken(optionOf[name]),
  );
  return (
    <div className="stack">
      {(options.system !== '' || isTaken('system')) && (
        <TextArea
          {...texts.systemInstruction}
          name="system"
          rows={3}
          value={options.system}
          onChange={({ target }) => onChange({ system: target.value })}
          problem={problems.system}
        />
      )}
      <div className="grid-2">
        {shown.map((name) => (
          <TextField
            key={name}
            {...fields[name]}
            name={name}
            autoComplete="off"
            value={options[name]}
            onChange={({ target }) => onChange({ [name]: target.value })}
            problem={problems[name]}
          />
        ))}
      </div>
    </div>
  );
}
