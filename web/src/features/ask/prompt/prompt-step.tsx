import { maximumPromptLength, missingIn, type Sheet, unusedColumns } from '@rowmill/contract';
import { AnswerColumns } from '../../../entities/prompt/answer-columns.tsx';
import { ModelSelect } from '../../../entities/prompt/model-select.tsx';
import type { OptionProblems, PromptOptions } from '../../../entities/prompt/options.ts';
import * as texts from '../../../texts/ask.ts';
import { type SavedVariable, variableValues } from '../api.ts';
import type { ChangeDraft, Draft } from '../draft.ts';
import { Step } from '../step.tsx';
import { canBeInserted, hasOpenBraces } from './completion.ts';
import { OptionsForm } from './options-form.tsx';
import styles from './prompt.module.css';
import { PromptEditor } from './prompt-editor.tsx';
import { RecentPrompts } from './recent-prompts.tsx';
import { SavedVariables } from './saved-variables.tsx';

interface Props {
  sheet: Sheet | undefined;
  blockedBy: string | null;
  draft: Draft;
  changeDraft: ChangeDraft;
  variables: readonly SavedVariable[] | undefined;
  problems: OptionProblems;
}

export function PromptStep({ sheet, blockedBy, draft, changeDraft, variables, problems }: Props) {
  const { prompt, options } = draft;
  const columns = sheet?.columns ?? [];
  const values = variableValues(variables);
  const missing = values ? missingIn(prompt, { columns, variables: values }) : [];
  const setPrompt = (prompt: string) => changeDraft({ prompt });
  const setOptions = (part: Partial<PromptOptions>) =>
    changeDraft(({ options }) => ({ options: { ...options, ...part } }));
  return (
    <Step number={2} title={texts.promptStep} blockedBy={blockedBy}>
      <PromptEditor
        label={texts.promptForEachRow}
        value={prompt}
        onChange={setPrompt}
        columns={columns.filter(canBeInserted)}
        variables={Object.keys(values ?? {}).filter((name) => !columns.includes(name))}
        problem={missing.length > 0 ? texts.noColumnOrVariable(missing) : undefined}
        hint={promptHint(prompt, columns)}
        maxLength={maximumPromptLength}
      />
      <AnswerColumns
        columns={options.columns}
        problems={problems}
        onChange={(columns) => setOptions({ columns })}
      />
      <ModelSelect value={options.model} onChange={(model) => setOptions({ model })} />
      <div className={styles.disclosures}>
        <RecentPrompts current={prompt} onPick={setPrompt} />
        <SavedVariables columns={columns} />
        <OptionsForm options={options} problems={problems} onChange={setOptions} />
      </div>
    </Step>
  );
}

const maximumListed = 8;

function promptHint(prompt: string, columns: readonly string[]): string | undefined {
  if (!prompt.trim()) return texts.typeBraces;
  if (hasOpenBraces(prompt)) return texts.closeBraces;
  const unused = unusedColumns(prompt, columns);
  if (unused.length === 0) return undefined;
  if (unused.length === columns.length) return texts.noColumnUsed;
  const names = texts.nameList(unused.slice(0, maximumListed));
  const more = unused.length - maximumListed;
  return more > 0 ? texts.columnsNotUsedAndMore(names, more) : texts.columnsNotUsed(names);
}
