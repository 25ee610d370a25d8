import type { Batch } from '@rowmill/contract';
import * as texts from '../../texts/entities.ts';
import { describeProgress, percentDone } from './description.ts';
import styles from './progress-bar.module.css';

/** Answered, failed and skipped rows of a batch as parts of all rows. */
export function ProgressBar({
  batch,
}: {
  batch: Pick<Batch, 'name' | 'rows' | 'answered' | 'failed' | 'skipped' | 'ended_at'>;
}) {
  const share = (rows: number) => `${batch.rows ? (rows / batch.rows) * 100 : 0}%`;
  return (
    <div
      className={styles.bar}
      data-ended={batch.ended_at !== null || undefined}
      role="progressbar"
      aria-label={texts.progressOf(batch.name)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percentDone(batch)}
      aria-valuetext={describeProgress(batch)}
    >
      <span className={styles.answered} style={{ width: share(batch.answered) }} />
      <span className={styles.failed} style={{ width: share(batch.failed) }} />
      <span className={styles.skipped} style={{ width: share(batch.skipped) }} />
    </div>
  );
}
