import {
  type ModelOption,
  optionsOfKind,
  type ProviderModel,
  type ReasoningEffort,
  reasoningEfforts,
  usualEfforts,
} from '@rowmill/contract';
import { type ReactNode, useContext, useId, useState } from 'react';
import type { Values } from '../../lib/hooks/use-form.ts';
import * as texts from '../../texts/operator/providers.ts';
import { efforts as effortNames } from '../../texts/prompt/options.ts';
import { FieldNote } from '../../ui/form/field.tsx';
import { FormContext } from '../../ui/form/form-context.ts';

interface Props {
  /** The protocol. */
  kind: string;
  /** Null for a new one. */
  model: ProviderModel | null;
}

/** What nearly every model takes. */
const usualOptions: readonly ModelOption[] = ['system', 'temperature', 'max_tokens', 'outputs'];

/** As far as the protocol has a field for it. */
export function OptionChecks({ kind, model }: Props) {
  const taken = model?.options ?? usualOptions;
  const [takesEffort, setTakesEffort] = useState(taken.includes('reasoning_effort'));
  return (
    <>
      <Checks label={texts.options} name="options">
        {optionsOfKind(kind).map((option) => (
          <label key={option} className="row">
            <input
              type="checkbox"
              name={`options.${option}`}
              defaultChecked={taken.includes(option)}
              onChange={({ target }) => {
                if (option === 'reasoning_effort') setTakesEffort(target.checked);
              }}
            />
            {texts.optionNames[option]}
          </label>
        ))}
      </Checks>
      {takesEffort && <EffortChecks taken={effortsOf(model)} />}
    </>
  );
}

function EffortChecks({ taken }: { taken: readonly ReasoningEffort[] }) {
  return (
    <Checks label={texts.efforts} name="reasoning_efforts">
      {reasoningEfforts.map((effort) => (
        <label key={effort} className="row">
          <input
            type="checkbox"
            name={`reasoning_efforts.${effort}`}
            defaultChecked={taken.includes(effort)}
          />
          {effortNames[effort]}
        </label>
      ))}
    </Checks>
  );
}

/** None are stored for a model that was saved without the option. */
function effortsOf(model: ProviderModel | null): readonly ReasoningEffort[] {
  return model?.reasoning_efforts.length ? model.reasoning_efforts : usualEfforts;
}

interface ChecksProps {
  label: string;
  /** What the request calls the list. */
  name: string;
  children: ReactNode;
}

/** Boxes to tick, with the problem of their list. */
function Checks({ label, name, children }: ChecksProps) {
  const { problems } = useContext(FormContext);
  const note = useId();
  return (
    <fieldset name={name} aria-describedby={note}>
      <legend>{label}</legend>
      <div className="grid-2">{children}</div>
      <FieldNote id={note} problem={problems[name]} />
    </fieldset>
  );
}

/** Without the option, the efforts that were chosen for it stay. */
export function optionsIn(values: Values, { kind, model }: Props) {
  const options = optionsOfKind(kind).filter((option) => `options.${option}` in values);
  return {
    options,
    reasoning_efforts: options.includes('reasoning_effort')
      ? reasoningEfforts.filter((effort) => `reasoning_efforts.${effort}` in values)
      : [...effortsOf(model)],
  };
}
