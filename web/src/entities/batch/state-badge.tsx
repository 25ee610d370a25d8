import type { Batch, BatchState } from '@rowmill/contract';
import {
  CircleCheck,
  CirclePause,
  CircleStop,
  Clock,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';
import { batchStateNames } from './description.ts';
import styles from './state-badge.module.css';

const icons = {
  ready: Clock,
  running: LoaderCircle,
  paused: CirclePause,
  stopped: CircleStop,
  completed: CircleCheck,
} as const satisfies Record<BatchState, LucideIcon>;

/** The state in words, with a picture of its own, so that its colour says nothing alone. */
export function StateBadge({ state }: Pick<Batch, 'state'>) {
  const Icon = icons[state];
  return (
    <span className={`${styles.state} ${styles[state] ?? ''}`} data-batch-state={state}>
      <Icon aria-hidden size={18} className={state === 'running' ? 'spinning' : ''} />
      {batchStateNames[state]}
    </span>
  );
}
