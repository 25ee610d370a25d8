import {
  type ChatModelChoice,
  getModels,
  type ModelOption,
  type Price,
  type ReasoningEffort,
} from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/entities.ts';
import { formatFindings } from '../../texts/prompt/answer-columns.ts';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { Loading } from '../../ui/loading.tsx';

interface Props {
  /** Empty for the default model. */
  value: string;
  onChange: (model: string) => void;
  problem?: string;
}

/**
 * A model that is no longer offered, such as that of an earlier batch, stays chosen until the
 * person chooses another.
 */
export function ModelSelect({ value, onChange, problem }: Props) {
  return (
    <Loading query={useModels()}>
      {([defaultModel, ...others]) =>
        defaultModel ? (
          <ChoiceField
            label={texts.model}
            name="model"
            problem={problem}
            value={value === defaultModel.id ? '' : value}
            onChange={({ target }) => onChange(target.value)}
            choices={[
              ['', modelLabel(defaultModel)],
              ...others.map((model) => [model.id, modelLabel(model)] as const),
              ...([defaultModel, ...others].some(({ id }) => id === value) || value === ''
                ? []
                : [[value, texts.modelGone(value)] as const]),
            ]}
          />
        ) : (
          <p className="muted">{texts.noModel}</p>
        )
      }
    </Loading>
  );
}

function modelLabel({ label, is_demo, ...price }: ChatModelChoice): string {
  const { submissions_per_row: submissions, price_tokens: tokens } = price;
  const name = is_demo ? texts.demoModel : label;
  return texts.modelPrice(
    name,
    formatNumber(submissions),
    tokens === null ? null : formatNumber(tokens),
  );
}

function useModels() {
  return useQuery({
    ...queryOf(getModels, {}),
    select: ({ models }) => models,
    staleTime: 10 * 60_000,
  });
}

/** The settings of a model. Empty: the default model. */
function useModel(model: string): ChatModelChoice | undefined {
  const { data: models } = useModels();
  return model === '' ? models?.[0] : models?.find(({ id }) => id === model);
}

/** What the list says that an answer costs; undefined while it loads. */
export function usePrice(model: string): Price | undefined {
  const found = useModel(model);
  if (!found) return undefined;
  const { submissions_per_row: submissions, price_tokens: tokens, answer_tokens } = found;
  const size = tokens && answer_tokens ? { tokens, answerTokens: answer_tokens } : null;
  return { submissions, size };
}

/** What a model makes of the form of an answer in columns; undefined until it was asked for one. */
export function useFormatFinding(model: string): string | undefined {
  const found = useModel(model);
  return found?.response_format ? formatFindings[found.response_format] : undefined;
}

/** The efforts that a model takes; undefined while the list loads. */
export function useTakenEfforts(model: string): readonly ReasoningEffort[] | undefined {
  return useModel(model)?.reasoning_efforts;
}

/** Whether a model takes an option. A filled-in one stays visible, so that it can be emptied. */
export function useTakenOptions(model: string): (option: ModelOption) => boolean {
  const found = useModel(model);
  return (option) => found?.options.includes(option) ?? true;
}
