import { CircleCheck, CircleDashed, CircleMinus, CircleX } from 'lucide-react';
import * as texts from '../../../texts/batches/batch.ts';
import type { Row } from '../api.ts';
import styles from './batch-rows.module.css';

const icons = {
  waiting: CircleDashed,
  answered: CircleCheck,
  failed: CircleX,
  skipped: CircleMinus,
} as const;

// By name: reading texts by a computed name would fetch all texts of the batch pages.
const names = { answered: texts.answered, failed: texts.failed, skipped: texts.skipped } as const;

/** A row without a result is queued, or was not run when its batch ended. */
export function rowStateName(state: Row['state'], isEnded: boolean): string {
  if (state === 'waiting') return isEnded ? texts.notRun : texts.queued;
  return names[state];
}

export function RowState({ state, isEnded }: Pick<Row, 'state'> & { isEnded: boolean }) {
  const Icon = icons[state];
  return (
    <span className={styles.state} data-state={state}>
      <Icon aria-hidden size={16} />
      <span>{rowStateName(state, isEnded)}</span>
    </span>
  );
}
