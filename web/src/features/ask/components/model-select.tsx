import type { ChatModelChoice } from '@rowmill/contract';
import { Loading } from '../../../ui/loading.tsx';
import { useModels } from '../api.ts';
import { SelectField } from './select-field.tsx';

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
          <SelectField
            label="Model"
            name="model"
            value={others.some(({ id }) => id === value) ? value : ''}
            onChange={({ target }) => onChange(target.value)}
            choices={[['', wordsFor(usual)], ...others.map((model) => [model.id, wordsFor(model)] as const)]}
          />
        ) : (
          <p className="soft">No model can be asked at present.</p>
        )
      }
    </Loading>
  );
}

function wordsFor({ id, submissions_per_row: each, is_demo }: ChatModelChoice): string {
  return `${is_demo ? `Demo model: no AI (${id})` : id}, ${each} ${each === 1 ? 'submission' : 'submissions'} a row`;
}
