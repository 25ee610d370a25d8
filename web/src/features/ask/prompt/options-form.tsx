import { OptionFields } from '../../../entities/prompt/option-fields.tsx';
import type { OptionProblems, PromptOptions } from '../../../entities/prompt/options.ts';
import * as texts from '../../../texts/ask.ts';
import { Disclosure } from '../../../ui/form/disclosure.tsx';

interface Props {
  options: PromptOptions;
  problems: OptionProblems;
  onChange: (part: Partial<PromptOptions>) => void;
}

/** Settings that most people leave alone. Opens by itself when one is invalid. */
export function OptionsForm(props: Props) {
  const hasProblems = Object.keys(props.problems).some((name) => !name.startsWith('columns'));
  return (
    <Disclosure title={texts.advanced} forceOpen={hasProblems}>
      <OptionFields hasLimit {...props} />
    </Disclosure>
  );
}
