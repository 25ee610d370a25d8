import {
  type AnswerOf,
  getBatch,
  getRows,
  judgeAnswers,
  mostJudged,
  type RequestOf,
} from '@rowmill/contract';
import { useMutation, useMutationState } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { queriesOf, queryClient } from '../../../lib/api/query.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import { Button } from '../../../ui/button.tsx';
import { fetchJudgedRows, rememberShown, whileSaving } from '../judged-elsewhere.ts';
import { findKnown, writeBatch } from '../live-progress.ts';
import styles from './batch-rows.module.css';

type Judged = RequestOf<typeof judgeAnswers>;

const savesOf = (id: string) => ({ mutationKey: [judgeAnswers.path, id] });

/** Calls are sent one after another, so the last answer has the latest counts. */
export function useSaveJudgement(id: string) {
  return useMutation({
    ...savesOf(id),
    scope: { id: 'judgements' },
    // A failed one stays listed until its row is judged again.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: (judged: Judged) => whileSaving(id, call(judgeAnswers, judged)),
    onMutate: (judged) => forgetEarlier(judged),
    // The same function is added once.
    onError: () => window.addEventListener('beforeunload', askWhileUnsaved),
    onSuccess: (saved, judged) => showJudged(judged.id, saved),
  });
}

function forgetEarlier({ id, rows }: Judged): void {
  const cache = queryClient.getMutationCache();
  for (const save of cache.findAll(savesOf(id))) {
    const { status, variables } = save.state;
    const isOfSameRow = (variables as Judged).rows[0] === rows[0];
    if (status === 'success' || (status === 'error' && isOfSameRow)) cache.remove(save);
  }
}

/** Judgements that failed, such as those made without a connection. */
export function useUnsavedJudgements(id: string): { judged: Judged; error: unknown }[] {
  return useMutationState({
    filters: { ...savesOf(id), status: 'error' },
    select: ({ state }) => ({ judged: state.variables as Judged, error: state.error }),
  });
}

/** A bar below the rows, so that it does not move them. */
export function UnsavedJudgements({ id }: { id: string }) {
  const unsaved = useUnsavedJudgements(id);
  const again = useMutation({
    scope: { id: 'judgements' },
    mutationFn: () => saveTogether(id),
  });
  if (unsaved.length === 0) return null;
  return (
    <div className={styles.selection}>
      <span className={styles.unsaved}>
        {rowTexts.judgementsNotSaved(formatNumber(unsaved.length))}
      </span>
      <Button variant="secondary" busy={again.isPending} onClick={() => again.mutate()}>
        {rowTexts.saveAgain}
      </Button>
    </div>
  );
}

/** What cannot be saved stays listed. */
async function saveTogether(id: string): Promise<void> {
  const cache = queryClient.getMutationCache();
  const failed = cache.findAll({ ...savesOf(id), status: 'error' });
  const rowsOf = ({ state }: (typeof failed)[number]) => (state.variables as Judged).rows;
  const failures: unknown[] = [];
  for (const together of inGroups(failed.map(({ state }) => state.variables as Judged))) {
    try {
      const saved = await whileSaving(id, call(judgeAnswers, together));
      const rows = new Set(saved.rows.map(({ row }) => row));
      for (const save of failed) if (rowsOf(save).every((row) => rows.has(row))) cache.remove(save);
      showJudged(id, saved);
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Rows of the same judgement in one call, because the calls of a minute are limited. */
export function inGroups(judged: readonly Judged[]): Judged[] {
  return [...Map.groupBy(judged, ({ judgement }) => judgement).values()].flatMap((same) => {
    const rows = same.flatMap(({ rows }) => rows);
    return same.slice(0, Math.ceil(rows.length / mostJudged)).map((each, call) => ({
      ...each,
      rows: rows.slice(call * mostJudged, (call + 1) * mostJudged),
    }));
  });
}

/** Only this page of the browser has what is not saved, also after its batch was left. */
function askWhileUnsaved(event: BeforeUnloadEvent): void {
  const unsaved = { mutationKey: [judgeAnswers.path], status: 'error' } as const;
  if (queryClient.getMutationCache().findAll(unsaved).length > 0) event.preventDefault();
}

/**
 * Rows change in place: the list on screen does not lose the row that was just judged, so the next
 * row is at the next position. Lists that are opened later are fetched.
 */
export function showJudged(id: string, { rows, batch }: AnswerOf<typeof judgeAnswers>): void {
  const judged = new Map(rows.map((row) => [row.row, row]));
  const before = findKnown(id)?.judgement_version ?? batch.judgement_version;
  queryClient.setQueriesData<AnswerOf<typeof getRows>>(
    queriesOf(getRows, { id }),
    (page) =>
      page && { ...page, rows: page.rows.map((row) => ({ ...row, ...judged.get(row.row) })) },
  );
  writeBatch(batch);
  rememberShown(batch);
  // What is being fetched may be older, and nothing fetches an ended batch again.
  for (const endpoint of [getRows, getBatch])
    void queryClient.refetchQueries({ ...queriesOf(endpoint, { id }), fetchStatus: 'fetching' });
  void queryClient.invalidateQueries({ ...queriesOf(getRows, { id }), refetchType: 'none' });
  // Others have judged meanwhile.
  if (batch.judgement_version > before + 1) void fetchJudgedRows(id);
}
