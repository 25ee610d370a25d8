import type { Sheet } from '@rowmill/contract';
import * as texts from '../../texts/ask.ts';
import { type AskRequest, cacheSheet, useSheet, useVariables, valuesOf } from './api.ts';
import { ConfirmStep } from './confirm/confirm-step.tsx';
import type { Change, Draft } from './draft.ts';
import { CheckStep } from './preview/preview-step.tsx';
import { canBeNamed } from './prompt/completion.ts';
import { readOptions } from './prompt/options.ts';
import { QuestionStep } from './prompt/prompt-step.tsx';
import { holdsQuestion, holdsRequest } from './readiness.ts';
import { SheetStep } from './sheet/sheet-step.tsx';

interface Props {
  draft: Draft;
  change: Change;
  forget: () => void;
  /** The tour begins with the sample, unless somebody has begun with a sheet of his own. */
  wantsSample: boolean;
  onSampleTaken: () => void;
}

/** The four steps from a sheet to a running batch, all in sight; each opens when the one before it is done. */
export function BatchForm({ draft, change, forget, wantsSample, onSampleTaken }: Props) {
  const sheetQuery = useSheet(draft.sheetId);
  const sheet = draft.sheetId ? (sheetQuery.data ?? undefined) : undefined;
  const variableQuery = useVariables();
  const variables = valuesOf(variableQuery.data);
  const { query, problems } = readOptions(draft.options);
  const hasOptionProblems = Object.keys(problems).length > 0;
  const waitsFor = holdsRequest({ sheet, question: draft.question, variables, hasOptionProblems });
  const request: AskRequest | null =
    waitsFor || !sheet
      ? null
      : {
          question: draft.question,
          questionWithVariable: draft.question,
          query: { ...query, file: sheet.id },
        };

  function takeSheet(taken: Sheet) {
    cacheSheet(taken);
    const first = wantsSample ? texts.sampleQuestion : firstQuestion(taken);
    change(({ question }) => ({ sheetId: taken.id, question: question.trim() ? question : first }));
    if (wantsSample) onSampleTaken();
  }
  const setLimit = (limit: string) => change(({ options }) => ({ options: { ...options, limit } }));
  const shared = { sheet };
  return (
    <div className="ask-desk">
      <div className="stack-wide">
        <SheetStep
          query={draft.sheetId ? sheetQuery : null}
          wantsSample={wantsSample && !draft.sheetId}
          onSheet={takeSheet}
          onOther={() => change({ sheetId: null })}
        />
        <QuestionStep
          {...shared}
          waitsFor={holdsQuestion({ sheet })}
          draft={draft}
          change={change}
          variables={variableQuery.data}
          problems={problems}
        />
      </div>
      <div className="stack-wide">
        <CheckStep
          {...shared}
          question={draft.question}
          variables={variables ?? {}}
          waitsFor={waitsFor}
          request={request}
        />
        <ConfirmStep
          waitsFor={waitsFor}
          request={request}
          pending={draft.start}
          onPending={(start) => change({ start })}
          onLimit={setLimit}
          onStarted={forget}
        />
      </div>
    </div>
  );
}

/** A sheet of one column is usually a list of whole prompts. */
function firstQuestion({ columns: [only, ...others], is_sure }: Sheet): string {
  return is_sure && only !== undefined && others.length === 0 && canBeNamed(only)
    ? `{{${only}}}`
    : '';
}
