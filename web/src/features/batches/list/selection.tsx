import { type Batch, deleteBatch, getAvailableCredits } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { Download, Trash2, X } from 'lucide-react';
import { useId, useState } from 'react';
import { call } from '../../../lib/api/api-client.ts';
import { invalidate } from '../../../lib/api/query.ts';
import { Refusal } from '../../../lib/api/refusal.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/batches/list.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { downloadResults } from '../actions/download-file.ts';
import { applyEvent } from '../live-progress.ts';
import styles from './history.module.css';

export type Selection = ReturnType<typeof useSelection>;

export function useSelection() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    has: (id: string) => ids.has(id),
    toggle: (id: string) =>
      setIds(
        (ids) => new Set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]),
      ),
    set: (ids: readonly string[]) => setIds(new Set(ids)),
  };
}

interface Props {
  batches: readonly Batch[];
  selection: Selection;
}

export function SelectAll({ batches, selection }: Props) {
  const isAll = batches.length > 0 && batches.every(({ id }) => selection.has(id));
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        aria-label={texts.selectAll}
        checked={isAll}
        onChange={() => selection.set(isAll ? [] : batches.map(({ id }) => id))}
      />
    </label>
  );
}

/** What can be done with the selected batches of this page, one after the other. */
export function SelectionBar({ batches, selection }: Props) {
  const chosen = batches.filter(({ id }) => selection.has(id));
  const deletable = chosen.filter(({ actions }) => actions.includes('delete'));
  const isNoneEnded = deletable.length === 0;
  const reason = useId();
  const [isAsking, setAsking] = useState(false);
  const act = useMutation({
    mutationFn: (action: 'download' | 'delete') =>
      action === 'download' ? downloadAll(chosen) : deleteAll(deletable),
    onSuccess: (count) => {
      if (count !== undefined) showToast('success', texts.deletedMany(count));
      selection.set([]);
    },
  });
  if (chosen.length === 0) return null;
  return (
    <div className={`row ${styles.selected}`}>
      <strong role="status">{texts.selected(chosen.length)}</strong>
      <Button variant="secondary" busy={act.isPending} onClick={() => act.mutate('download')}>
        <Download aria-hidden size={16} />
        {texts.downloadSelected}
      </Button>
      <Button
        variant="danger"
        busy={act.isPending}
        aria-disabled={isNoneEnded}
        aria-describedby={isNoneEnded ? reason : undefined}
        onClick={() => setAsking(true)}
      >
        <Trash2 aria-hidden size={16} />
        {texts.deleteSelected}
      </Button>
      <Button variant="ghost" aria-label={texts.clearSelection} onClick={() => selection.set([])}>
        <X aria-hidden size={16} />
      </Button>
      {isNoneEnded && (
        <span id={reason} className="muted">
          {texts.noneToDelete(chosen.length)}
        </span>
      )}
      <ErrorNote error={act.error} />
      {isAsking && (
        <ConfirmDialog
          title={texts.deleteManyTitle(deletable.length)}
          confirm={texts.deleteSelected}
          isDanger
          onConfirm={() => act.mutate('delete')}
          onClose={() => setAsking(false)}
        >
          <p>{texts.deleteManyEffect}</p>
          {chosen.length > deletable.length && (
            <p>{texts.deleteManySkips(chosen.length - deletable.length)}</p>
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}

async function downloadAll(batches: readonly Batch[]): Promise<undefined> {
  await actOnEach(batches, (batch) => downloadResults(batch, 'xlsx'));
}

async function deleteAll(batches: readonly Batch[]): Promise<number> {
  await actOnEach(batches, async ({ id }) => {
    await call(deleteBatch, { id });
    applyEvent({ kind: 'batch_deleted', id });
  });
  await invalidate(getAvailableCredits);
  return batches.length;
}

/** One that is refused, for example because another tab has changed it, stops no other. */
async function actOnEach(
  batches: readonly Batch[],
  act: (batch: Batch) => Promise<void>,
): Promise<void> {
  const refusals: Refusal[] = [];
  for (const batch of batches) {
    try {
      await act(batch);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
    }
  }
  if (refusals[0]) throw refusals[0];
}
