import { maximumQuestionLength, missingIn, type Sheet, unusedColumns } from '@rowmill/contract';
import * as texts from '../../../texts/ask.ts';
import { type KeptVariable, valuesOf } from '../api.ts';
import type { Change, Draft } from '../draft.ts';
import { Step } from '../step.tsx';
import { canBeNamed, hasOpenBraces } from './completion.ts';
import { ModelSelect } from './model-select.tsx';
import type { OptionProblems } from './options.ts';
import { OptionsForm } from './options-form.tsx';
import { QuestionEditor } from './prompt-editor.tsx';
import { RecentQuestions } from './recent-prompts.tsx';
import { VariableSection } from './saved-variables.tsx';

interface Props {
  sheet: Sheet | undefined;
  waitsFor: string | null;
  draft: Draft;
  change: Change;
  variables: readonly KeptVariable[] | undefined;
  problems: OptionProblems;
}

export function QuestionStep({
  sheet,
  waitsFor,
  draft,
  change,
  variables,
  problems,
}: Props) {
  const { question, options } = draft;
  const columns = sheet?.columns ?? [];
  const kept = valuesOf(variables);
  const missing = kept ? missingIn(question, { columns, variables: kept }) : [];
  const setOptions = (part: Partial<Draft['options']>) =>
    change((now) => ({ options: { ...now.options, ...part } }));
  return (
    <Step number={2} title={texts.questionStep} waitsFor={waitsFor}>
      <QuestionEditor
        label={texts.questionForEachRow}
        value={question}
        onChange={(text) => change({ question: text })}
        columns={columns.filter(canBeNamed)}
        variables={Object.keys(kept ?? {}).filter((name) => !columns.includes(name))}
        problem={missing.length > 0 ? texts.notCalled(texts.listed(missing)) : undefined}
        hint={hintFor(question, columns)}
        maxLength={maximumQuestionLength}
      />
      <ModelSelect value={options.model} onChange={(model) => setOptions({ model })} />
      <div className="ask-folds">
        <RecentQuestions
          present={question}
          onTake={(text) => change({ question: text })}
        />
        <VariableSection columns={columns} />
        <OptionsForm options={options} problems={problems} onChange={setOptions} />
      </div>
    </Step>
  );
}

const namedAtMost = 8;

function hintFor(question: string, columns: readonly string[]): string | undefined {
  if (!question.trim()) return texts.typeBraces;
  if (hasOpenBraces(question)) return texts.openBraces;
  return unusedWords(question, columns);
}

function unusedWords(question: string, columns: readonly string[]): string | undefined {
  const unused = unusedColumns(question, columns);
  if (unused.length === 0) return undefined;
  if (unused.length === columns.length) return texts.noColumnUsed;
  const names = texts.listed(unused.slice(0, namedAtMost));
  const rest = unused.length - namedAtMost;
  return rest > 0 ? texts.notUsedAndMore(names, rest) : texts.notUsed(names);
}
