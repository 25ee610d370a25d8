import { asColumn, type Output, type Sheet } from '@rowmill/contract';
import { useId, useMemo, useState } from 'react';
import { noOptions, parseOptions } from '../../entities/prompt/options.ts';
import { refusalCode } from '../../lib/api/refusal.ts';
import { formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/ask.ts';
import * as entityTexts from '../../texts/entities.ts';
import { Button } from '../../ui/button.tsx';
import {
  type AskRequest,
  cacheSheet,
  unlessLong,
  useOpenedSheet,
  useSheet,
  useVariables,
  variableValues,
} from './api.ts';
import styles from './batch-form.module.css';
import { CostStep } from './confirm/cost-step.tsx';
import { tomorrowMorning } from './confirm/deadline.ts';
import { RunBar } from './confirm/run-bar.tsx';
import { type Run, useRun } from './confirm/use-run.ts';
import { type ChangeDraft, type Draft, withoutStarted, withReplaced } from './draft.ts';
import { PreviewStep } from './preview/preview-step.tsx';
import { TryRows } from './preview/try-rows.tsx';
import { shownRow, usePreview } from './preview/use-preview.ts';
import { canBeInserted } from './prompt/completion.ts';
import { PromptStep } from './prompt/prompt-step.tsx';
import { promptBlocker, requestBlocker } from './readiness.ts';
import { SheetGrid } from './sheet/sheet-grid.tsx';
import { SheetStep } from './sheet/sheet-step.tsx';
import { useFileChoice } from './sheet/upload.ts';

interface Props {
  draft: Draft;
  changeDraft: ChangeDraft;
  /** The id of a sheet that a link opens. It replaces the one of the draft. */
  opened: string | null;
  onOpened: () => void;
  /** The tour loads the sample in the place of the draft, which can be undone. */
  wantsSample: boolean;
  onSampleLoaded: () => void;
}

/** From a sheet to a running batch: the rows, the prompt, its preview and cost, the start. */
export function BatchForm(props: Props) {
  const { draft, changeDraft, opened, onOpened, wantsSample, onSampleLoaded } = props;
  const sheetQuery = useSheet(draft.sheetId);
  const sheet = draft.sheetId ? (sheetQuery.data ?? undefined) : undefined;
  const variableQuery = useVariables();
  const variables = variableValues(variableQuery.data);
  const { query, problems: optionProblems } = parseOptions(draft.options);
  const hasOptionProblems = Object.keys(optionProblems).length > 0;
  const { prompt } = draft;
  /** Another sheet has other rows. */
  const again = draft.again?.sheetId === draft.sheetId ? draft.again : null;
  const cannotPrompt = promptBlocker({ sheet });
  const { isReplacing, ...choice } = useFileChoice(onSheet);
  const blockedBy = requestBlocker({ sheet, isReplacing, prompt, variables, optionProblems });
  /** The run bar says what is missing, for every button that waits for it. */
  const blockerId = useId();
  const request = blockedBy ? null : requestOf({ ...draft, again }, query);
  const run = useRun({
    request,
    pending: draft.start,
    onPending: (start, key) =>
      changeDraft((draft) => (start || draft.start?.key === key ? { start } : null)),
    onStarted: (started) => changeDraft((draft) => withoutStarted(draft, started)),
  });

  const outputs = useOutputs(request?.query?.outputs ?? (hasOptionProblems ? [] : query.outputs));
  const preview = usePreview({
    request,
    quote: run.query.data,
    model: draft.options.model,
    sheet,
    variables,
  });
  const [chosen, setChosen] = useState<number | null>(null);

  function onSheet(loaded: Sheet) {
    setChosen(null);
    cacheSheet(loaded);
    changeDraft((draft) => {
      const again = loaded.id === draft.sheetId ? draft.again : null;
      const chosen = { sheetId: loaded.id, again, prompt: suggestPrompt(loaded) };
      if (!isOwnPrompt(draft.prompt, sheet)) return chosen;
      const isTour = wantsSample && loaded.name === texts.sampleFileName;
      return isTour
        ? withReplaced(draft, { ...chosen, options: noOptions, start: null })
        : { ...chosen, prompt: draft.prompt };
    });
    if (wantsSample) onSampleLoaded();
  }
  useOpenedSheet(opened, (sheet) => {
    if (sheet) onSheet(sheet);
    onOpened();
  });
  /** The first rows that run again. Those of the last quote stay until the next one is there. */
  const selected = (again && run.quote?.selected) ?? null;
  const limit = request?.query?.limit;
  const { rows, index, upcoming } = shownRow({ rows: sheet?.rows ?? 0, limit, selected, chosen });
  function tryRows(wanted: readonly number[]) {
    setChosen(wanted[0] ?? null);
    preview.try(wanted);
  }
  return (
    <div className={sheet ? styles.workbench : styles.start}>
      <div className={sheet ? styles.columns : undefined}>
        <div className={styles.sheet}>
          {again && (
            <AgainBar again={again} run={run} onWhole={() => changeDraft({ again: null })} />
          )}
          <SheetStep
            query={draft.sheetId ? sheetQuery : null}
            wantsSample={wantsSample}
            {...choice}
            onSheet={onSheet}
            isKnown={again !== null}
          >
            {sheet && (
              <SheetGrid
                key={`${sheet.id} ${JSON.stringify(sheet.dialect)}`}
                sheet={sheet}
                outputs={outputs}
                preview={preview}
                index={index}
                onIndex={setChosen}
              />
            )}
          </SheetStep>
        </div>
        {sheet && (
          <div className={styles.panel}>
            <PromptStep
              sheet={sheet}
              blockedBy={cannotPrompt}
              draft={draft}
              changeDraft={changeDraft}
              variables={variableQuery.data}
              problems={optionProblems}
              onTry={() => !preview.isPending && tryRows(upcoming.slice(0, 1))}
            >
              <TryRows
                preview={preview}
                blockedBy={blockedBy && blockerId}
                upcoming={upcoming}
                rows={again ? null : rows}
                onTry={tryRows}
                onRow={setChosen}
              />
            </PromptStep>
            {!blockedBy && (
              <>
                <PreviewStep
                  sheet={sheet}
                  prompt={prompt}
                  variables={variables ?? {}}
                  model={draft.options.model}
                  outputs={outputs}
                  preview={preview}
                  rows={rows}
                  index={index}
                  onIndex={setChosen}
                />
                <CostStep
                  run={run}
                  isEconomy={draft.isEconomy}
                  onEconomy={(isEconomy) => changeDraft({ isEconomy })}
                  limit={limit}
                  onRowLimit={(limit) =>
                    changeDraft(({ options }) => ({ options: { ...options, limit } }))
                  }
                />
              </>
            )}
          </div>
        )}
      </div>
      {sheet && !cannotPrompt && (
        <RunBar run={run} selected={selected} blockedBy={blockedBy} blockerId={blockerId} />
      )}
    </div>
  );
}

interface AgainProps {
  again: NonNullable<Draft['again']>;
  run: Run;
  onWhole: () => void;
}

function AgainBar({ again, run, onWhole }: AgainProps) {
  const isGone = refusalCode(run.query.error ?? run.error) === 'not_found';
  const { rows, count, name } = again;
  return (
    <div className={styles.again}>
      <p>
        {entityTexts.runningAgain({
          rows: entityTexts.rowsAgain(rows, formatNumber(count)),
          name,
        })}
      </p>
      {(rows !== 'all' || isGone) && (
        <Button variant="ghost" onClick={onWhole}>
          {entityTexts.wholeSheetInstead}
        </Button>
      )}
    </div>
  );
}

const oneText: Output[] = [];

/** Returns the same list while the columns are equal, so that the grid is not drawn again. */
function useOutputs(wanted: Output[] | undefined): readonly Output[] {
  const key = JSON.stringify(wanted ?? oneText);
  return useMemo(() => JSON.parse(key) as Output[], [key]);
}

type Query = NonNullable<AskRequest['query']>;

function requestOf({ prompt, sheetId, isEconomy, again }: Draft, query: Query): AskRequest {
  return {
    question: unlessLong(prompt),
    questionWithVariable: prompt,
    query: {
      ...query,
      file: sheetId ?? undefined,
      ...(isEconomy && { finish_by: tomorrowMorning(new Date()) }),
      ...(again && againOf(again, query.outputs)),
    },
  };
}

/** The rows of the batch that runs again, with the types of its columns unless changed. */
function againOf(
  { batch, rows, outputs }: NonNullable<Draft['again']>,
  wanted: Query['outputs'] = [],
): Query {
  const areSame = JSON.stringify(outputs.map(asColumn)) === JSON.stringify(wanted.map(asColumn));
  return { again: { batch, rows }, ...(areSame && outputs.length > 0 && { outputs }) };
}

/** A suggested prompt is dropped with the sheet that it was made for. */
function isOwnPrompt(prompt: string, sheet: Sheet | undefined): boolean {
  return prompt.trim() !== '' && !(sheet && prompt === suggestPrompt(sheet));
}

/** The sample has its prompt. A sheet with a single column is usually a list of complete ones. */
function suggestPrompt({ name, columns: [only, ...others], is_sure }: Sheet): string {
  if (name === texts.sampleFileName) return texts.samplePrompt;
  return is_sure && only !== undefined && others.length === 0 && canBeInserted(only)
    ? `{{${only}}}`
    : '';
}
