import { maximumQuestionLength, missingIn, type Sheet, unusedColumns } from '@rowmill/contract';
import * as texts from '../../../texts/ask.ts';
import { type KeptVariable, valuesOf } from '../api.ts';
import type { OptionProblems } from '../ask-query.ts';
import { canBeNamed, hasOpenBraces } from '../completion.ts';
import type { Draft } from '../draft.ts';
import type { Change } from '../use-draft.ts';
import { ModelSelect } from './model-select.tsx';
import { OptionsForm } from './options-form.tsx';
import { QuestionEditor } from './question-editor.tsx';
import { RecentQuestions } from './recent-questions.tsx';
import { Step } from './step.tsx';
import { VariableSection } from './variable-section.tsx';

interface Props {
  userId: string;
  sheet: Sheet | undefined;
  waitsFor: string | null;
  draft: Draft;
  change: Change;
  variables: readonly KeptVariable[] | undefined;
  problems: OptionProblems;
}

export function QuestionStep({
  userId,
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
          userId={userId}
          present={question}
          onTake={(text) => change({ question: text })}
        />
        <VariableSection userId={userId} columns={columns} />
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
