import type { Batch } from '@rowmill/contract';
import type { ReactNode } from 'react';
import { waitingRows } from '../../../entities/batch/description.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import type { BatchChange } from './use-batch-actions.ts';

interface Question {
  title: string;
  confirm: string;
  isDanger?: boolean;
  words: (batch: Batch) => ReactNode;
}

const questions: Partial<Record<BatchChange, Question>> = {
  stop: {
    ...texts.confirmStop,
    isDanger: true,
    words: (batch) => (
      <>
        <p>
          {texts.rowsNotDone({
            waiting: formatNumber(waitingRows(batch)),
            rows: formatNumber(batch.rows),
            name: batch.name,
          })}
        </p>
        <ul>
          <li>{texts.noMoreRowsSent}</li>
          <li>{texts.sentRowsFinish}</li>
          <li>{texts.unusedGoBack(formatNumber(batch.held))}</li>
          <li>{texts.answersStay}</li>
        </ul>
      </>
    ),
  },
  retryFailed: {
    ...texts.confirmRetry,
    words: (batch) => <p>{texts.failedRowsRunAgain(batch.failed, formatNumber(batch.failed))}</p>,
  },
  delete: {
    ...texts.confirmDelete,
    isDanger: true,
    words: (batch) => <p>{texts.deletedForGood(batch.name)}</p>,
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
    <ConfirmDialog
      title={title}
      confirm={confirm}
      isDanger={isDanger}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {words(batch)}
    </ConfirmDialog>
  );
}
