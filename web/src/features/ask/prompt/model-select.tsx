import type { ChatModelChoice } from '@rowmill/contract';
import * as texts from '../../../texts/ask.ts';
import { ChoiceField } from '../../../ui/choice-field.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { useModels } from '../api.ts';

interface Props {
  /** Empty for the usual one. */
  value: string;
  onChange: (model: string) => void;
}

export function ModelSelect({ value, onChange }: Props) {
  return (
    <Loading query={useModels()}>
      {([usual, ...others]) =>
        usual ? (
          <ChoiceField
            label={texts.model}
            name="model"
            value={others.some(({ id }) => id === value) ? value : ''}
            onChange={({ target }) => onChange(target.value)}
            choices={[
              ['', wordsFor(usual)],
              ...others.map((model) => [model.id, wordsFor(model)] as const),
            ]}
          />
        ) : (
          <p className="soft">{texts.noModel}</p>
        )
      }
    </Loading>
  );
}

function wordsFor({ id, submissions_per_row: each, is_demo }: ChatModelChoice): string {
  return texts.modelPrice(is_demo ? texts.demoModel(id) : id, each);
}
