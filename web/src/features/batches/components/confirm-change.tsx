import type { Batch } from '@rowmill/contract';
import type { ReactNode } from 'react';
import { waitingRows } from '../../../lib/batch-words.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { BatchChange } from '../use-batch-actions.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface Question {
  title: string;
  confirm: string;
  isDanger?: boolean;
  words: (batch: Batch) => ReactNode;
}

const questions: Partial<Record<BatchChange, Question>> = {
  stop: {
    title: 'Stop this batch?',
    confirm: 'Stop the batch',
    isDanger: true,
    words: (batch) => (
      <>
        <p>
          {formatNumber(waitingRows(batch))} of {formatNumber(batch.rows)} rows of “{batch.name}” are not done yet.
        </p>
        <ul>
          <li>From now on nothing new is sent.</li>
          <li>Rows in flight are settled: charged if they are answered.</li>
          <li>The unused submissions return at once. {formatNumber(batch.held)} are held now.</li>
          <li>The answers so far stay. A stopped batch cannot be resumed.</li>
        </ul>
      </>
    ),
  },
  retryFailed: {
    title: 'Run the failed rows once more?',
    confirm: 'Retry failed rows',
    words: (batch) => (
      <p>
        {formatNumber(batch.failed)} failed {batch.failed === 1 ? 'row is' : 'rows are'} asked again. Submissions for them are
        held now; what is not answered this time either costs nothing.
      </p>
    ),
  },
  delete: {
    title: 'Delete this batch?',
    confirm: 'Delete the batch',
    isDanger: true,
    words: (batch) => (
      <p>
        “{batch.name}” is deleted with its prompts and answers, for good. What it was charged stays in your records. Download the
        results first if you still need them.
      </p>
    ),
  },
};

interface Props {
  batch: Batch;
  change: BatchChange;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmChange({ batch, change, onConfirm, onClose }: Props) {
  const question = questions[change];
  if (!question) return null;
  const { title, confirm, isDanger = false, words } = question;
  return (
    <ConfirmDialog title={title} confirm={confirm} isDanger={isDanger} onConfirm={onConfirm} onClose={onClose}>
      {words(batch)}
    </ConfirmDialog>
  );
}
