import * as texts from '../../texts/prompt/options.ts';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { Disclosure } from '../../ui/form/disclosure.tsx';
import { TextArea } from '../../ui/form/text-area.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { useTakenEfforts, useTakenOptions } from './model-select.tsx';
import {
  type OptionField,
  type OptionProblems,
  optionOfField,
  type PromptOptions,
} from './options.ts';

interface Props {
  /** Also asks how many rows to run. */
  hasLimit?: boolean;
  options: PromptOptions;
  problems: OptionProblems;
  onChange: (part: Partial<PromptOptions>) => void;
}

const numbers = {
  temperature: { ...texts.temperature, inputMode: 'decimal' },
  maxTokens: { ...texts.maximumLength, inputMode: 'numeric' },
  limit: { ...texts.rowLimit, inputMode: 'numeric' },
  topP: { ...texts.topP, inputMode: 'decimal' },
  seed: { ...texts.seed, inputMode: 'numeric' },
} as const;
type NumberName = keyof typeof numbers;

const areas = { system: texts.instructions, stop: texts.stopTexts } as const;
const rare = ['topP', 'seed', 'effort', 'stop'] as const satisfies readonly OptionField[];

/**
 * The options that are sent with the prompt, as far as the model takes them. A filled-in one stays,
 * so that it can be emptied.
 */
export function OptionFields({ hasLimit = false, ...props }: Props) {
  const { options } = props;
  const isTaken = useTakenOptions(options.model);
  const isShown = (field: OptionField) => options[field] !== '' || isTaken(optionOfField[field]);
  const usual = (['temperature', 'maxTokens'] as const).filter(isShown);
  const more = rare.filter(isShown);
  return (
    <div className="stack">
      {isShown('system') && <Area name="system" {...props} />}
      <div className="grid-2">
        {[...usual, ...(hasLimit ? (['limit'] as const) : [])].map((name) => (
          <NumberField key={name} name={name} {...props} />
        ))}
      </div>
      {more.length > 0 && <RareFields names={more} {...props} />}
    </div>
  );
}

type FieldProps = Omit<Props, 'hasLimit'>;

function RareFields({ names, ...props }: FieldProps & { names: readonly OptionField[] }) {
  const { options, problems } = props;
  const isUsed = names.some((name) => options[name] !== '' || problems[name]);
  return (
    <Disclosure title={texts.moreOptions} forceOpen={isUsed}>
      <div className="stack">
        <div className="grid-2">
          {names.includes('topP') && <NumberField name="topP" {...props} />}
          {names.includes('seed') && <NumberField name="seed" {...props} />}
          {names.includes('effort') && <EffortField {...props} />}
        </div>
        {names.includes('stop') && <Area name="stop" {...props} />}
      </div>
    </Disclosure>
  );
}

function NumberField({ name, options, problems, onChange }: FieldProps & { name: NumberName }) {
  return (
    <TextField
      {...numbers[name]}
      name={name}
      value={options[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
      problem={problems[name]}
    />
  );
}

function Area({ name, options, problems, onChange }: FieldProps & { name: keyof typeof areas }) {
  return (
    <TextArea
      {...areas[name]}
      name={name}
      rows={3}
      value={options[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
      problem={problems[name]}
    />
  );
}

/** One that the model does not take stays, so that it can be changed. */
function EffortField({ options, problems, onChange }: FieldProps) {
  const taken: readonly string[] | undefined = useTakenEfforts(options.model);
  const efforts = Object.entries(texts.efforts).filter(
    ([effort]) => !taken || taken.includes(effort) || effort === options.effort,
  );
  return (
    <ChoiceField
      {...texts.effort}
      name="effort"
      choices={[['', texts.usualEffort], ...efforts]}
      value={options.effort}
      onChange={({ target }) => onChange({ effort: target.value })}
      problem={problems.effort}
    />
  );
}
