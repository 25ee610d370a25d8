import type { Batch } from '@rowmill/contract';
import type { ReactNode } from 'react';
import { waitingRows } from '../../../entities/batch/description.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches/batch.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

export type ConfirmedAction = 'play' | 'stop' | 'retryFailed' | 'delete';

interface Question {
  title: string;
  confirm: string;
  cancel?: string;
  isDanger: boolean;
  describeEffect: (batch: Batch) => ReactNode;
}

const questions: Record<ConfirmedAction, Question> = {
  play: {
    ...texts.confirmPlay,
    isDanger: false,
    describeEffect: (batch) => {
      const waiting = waitingRows(batch);
      const most = waiting * batch.price;
      return (
        <>
          <p>{texts.runsUntriedRows({ waiting: formatNumber(waiting), name: batch.name })}</p>
          <p>{texts.costsAtMost(most, formatNumber(most))}</p>
        </>
      );
    },
  },
  stop: {
    ...texts.confirmStop,
    cancel: texts.doNotStop,
    isDanger: true,
    describeEffect: (batch) => (
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
    isDanger: false,
    describeEffect: ({ failed }) => <p>{texts.failedRowsRunAgain(failed, formatNumber(failed))}</p>,
  },
  delete: {
    ...texts.confirmDelete,
    isDanger: true,
    describeEffect: ({ name }) => <p>{texts.deletedForGood(name)}</p>,
  },
};

interface Props {
  batch: Batch;
  action: ConfirmedAction;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmAction({ batch, action, onConfirm, onClose }: Props) {
  const { describeEffect, ...question } = questions[action];
  return (
    <ConfirmDialog {...question} onConfirm={onConfirm} onClose={onClose}>
      {describeEffect(batch)}
    </ConfirmDialog>
  );
}
