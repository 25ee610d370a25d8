import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import * as texts from '../../../texts/batches.ts';
import type { Row } from '../api.ts';
import styles from './batch-rows.module.css';

const labels = { waiting: texts.notRun, answered: texts.answered, failed: texts.failed } as const;
const icons = { waiting: CircleDashed, answered: CircleCheck, failed: CircleX } as const;

export function RowState({ state }: Pick<Row, 'state'>) {
  const Icon = icons[state];
  return (
    <span className={styles.state} data-state={state}>
      <Icon aria-hidden size={16} />
      <span>{labels[state]}</span>
    </span>
  );
}
