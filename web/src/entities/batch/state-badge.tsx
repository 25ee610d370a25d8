import type { BatchState } from '@rowmill/contract';
import {
  CircleCheck,
  CirclePause,
  CircleStop,
  Clock,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react';
import { formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/entities.ts';
import styles from './state-badge.module.css';

const icons = {
  ready: Clock,
  running: LoaderCircle,
  paused: CirclePause,
  stopped: CircleStop,
  completed: CircleCheck,
} as const satisfies Record<BatchState, LucideIcon>;

interface Props {
  state: BatchState;
  /** Failed rows of a completed batch are named. */
  failed?: number;
  /** The number of failed rows is beside it. */
  isBrief?: boolean;
  /** A class of the word, with which a narrow place can hide it. */
  wordClass?: string;
}

/** The state in words with its own icon, so that colour is not the only sign. */
export function StateBadge({ state, failed = 0, isBrief, wordClass }: Props) {
  const hasFailures = state === 'completed' && failed > 0;
  const Icon = hasFailures ? TriangleAlert : icons[state];
  const tone = hasFailures ? styles.paused : (styles[state] ?? '');
  return (
    <span
      className={`${styles.state} ${tone}`}
      data-batch-state={state}
      title={wordClass && texts.batchStates[state]}
    >
      <Icon aria-hidden size={18} className={state === 'running' ? 'spinning' : ''} />
      <span className={wordClass}>
        {hasFailures && !isBrief
          ? texts.completedWithFailures(formatNumber(failed))
          : texts.batchStates[state]}
      </span>
    </span>
  );
}
