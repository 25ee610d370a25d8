import {
  maximumPromptLength,
  missingIn,
  namesBeside,
  type Sheet,
  unusedColumns,
} from '@rowmill/contract';
import type { ReactNode } from 'react';
import { AnswerColumns } from '../../../entities/prompt/answer-columns.tsx';
import { ModelSelect, useTakenOptions } from '../../../entities/prompt/model-select.tsx';
import { OptionFields } from '../../../entities/prompt/option-fields.tsx';
import type { OptionProblems, PromptOptions } from '../../../entities/prompt/options.ts';
import * as texts from '../../../texts/ask.ts';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import { type SavedVariable, variableValues } from '../api.ts';
import { type ChangeDraft, type Draft, withEdited, withReplaced } from '../draft.ts';
import { Step } from '../step.tsx';
import { canBeInserted, hasOpenBraces } from './completion.ts';
import styles from './prompt.module.css';
import { PromptEditor } from './prompt-editor.tsx';
import { PromptReplaced } from './prompt-replaced.tsx';
import { RecentPrompts } from './recent-prompts.tsx';
import { SavedVariables } from './saved-variables.tsx';

interface Props {
  sheet: Sheet | undefined;
  /** Why there is nothing to write a prompt for yet, or null. */
  blockedBy: string | null;
  draft: Draft;
  changeDraft: ChangeDraft;
  variables: readonly SavedVariable[] | undefined;
  problems: OptionProblems;
  /** Ctrl+Enter tries the prompt. */
  onTry: () => void;
  children: ReactNode;
}

export function PromptStep(props: Props) {
  const { sheet, blockedBy, draft, changeDraft, variables, problems, onTry, children } = props;
  const { prompt, options } = draft;
  const isTaken = useTakenOptions(options.model);
  const columns = sheet?.columns ?? [];
  const values = variableValues(variables);
  const missing = values ? missingIn(prompt, { columns, variables: values }) : [];
  const setPrompt = (prompt: string) => changeDraft((draft) => withEdited(draft, { prompt }));
  const setOptions = (part: Partial<PromptOptions>) =>
    changeDraft((draft) => withEdited(draft, { options: { ...draft.options, ...part } }));
  if (blockedBy)
    return (
      <Step title={texts.promptStep}>
        <p className="muted">{blockedBy}</p>
      </Step>
    );
  return (
    <Step title={texts.promptStep} hasHiddenTitle>
      <PromptEditor
        label={texts.promptForEachRow}
        value={prompt}
        onChange={setPrompt}
        columns={columns.filter(canBeInserted)}
        variables={namesBeside(columns, Object.keys(values ?? {}))}
        missing={missing}
        problem={missing.length > 0 ? texts.noColumnOrVariable(missing) : undefined}
        hint={promptHint(prompt, columns)}
        maxLength={maximumPromptLength}
        onSubmit={onTry}
      />
      <PromptReplaced field="prompt" draft={draft} changeDraft={changeDraft} />
      {(options.columns.length > 0 || isTaken('outputs')) && (
        <AnswerColumns
          // The run bar says that no column has a name yet.
          columns={options.columns}
          problems={{ ...problems, columns: '' }}
          onChange={(columns) => setOptions({ columns })}
        />
      )}
      <ModelSelect value={options.model} onChange={(model) => setOptions({ model })} />
      {children}
      <div className={styles.disclosures}>
        <RecentPrompts
          onPick={(prompt) => changeDraft((draft) => withReplaced(draft, { prompt }))}
        />
        <SavedVariables columns={columns} />
        <OptionsForm options={options} problems={problems} onChange={setOptions} />
      </div>
    </Step>
  );
}

function promptHint(prompt: string, columns: readonly string[]): string | undefined {
  const barred = columns.filter((name) => !canBeInserted(name));
  const hints = [
    usualHint(prompt, columns),
    barred.length > 0 ? texts.cannotBeInserted(barred) : undefined,
  ];
  return hints.filter(Boolean).join(' ') || undefined;
}

function usualHint(prompt: string, columns: readonly string[]): string | undefined {
  if (!prompt.trim()) return texts.typeBraces;
  if (hasOpenBraces(prompt)) return texts.closeBraces;
  return unusedColumns(prompt, columns).length === columns.length ? texts.noColumnUsed : undefined;
}

interface OptionsFormProps {
  options: PromptOptions;
  problems: OptionProblems;
  onChange: (part: Partial<PromptOptions>) => void;
}

/** Settings that most people leave alone. Opens by itself when one is invalid. */
function OptionsForm(props: OptionsFormProps) {
  const hasProblems = Object.keys(props.problems).some((name) => !name.startsWith('columns'));
  return (
    <Disclosure title={texts.advanced} forceOpen={hasProblems}>
      <OptionFields hasLimit {...props} />
    </Disclosure>
  );
}
