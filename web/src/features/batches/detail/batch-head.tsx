import type { Batch } from '@rowmill/contract';
import { useNavigate } from 'react-router';
import { describeProgress, describeTimeLeft } from '../../../entities/batch/description.ts';
import { ProgressBar } from '../../../entities/batch/progress-bar.tsx';
import { StateBadge } from '../../../entities/batch/state-badge.tsx';
import { useThrottledValue } from '../../../lib/hooks/timing.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/batches/batch.ts';
import { batchStates } from '../../../texts/entities.ts';
import { CutName } from '../../../ui/cut-name.tsx';
import { BatchActions } from '../actions/batch-actions.tsx';
import { PauseNotice } from '../pause-notice.tsx';
import type { RowChoice } from '../rows/row-selection.tsx';
import styles from './batch-detail.module.css';
import { BatchProgress } from './batch-progress.tsx';
import { BatchPrompt } from './batch-prompt.tsx';

/** Progress is announced this often, so a screen reader has time for the rest of the page. */
const announceMilliseconds = 10_000;

interface Props {
  batch: Batch;
  selected: RowChoice;
}

/** The live state of a batch and its actions. */
export function BatchHead({ batch, selected }: Props) {
  const navigate = useNavigate();
  const summary = summarise(batch);
  const throttled = useThrottledValue(summary, announceMilliseconds, batch.state);
  return (
    <section className={styles.head} aria-labelledby="batch-title">
      <div className={styles.title}>
        <h1 id="batch-title" className={styles.name}>
          <CutName name={batch.name} />
        </h1>
        <StateBadge state={batch.state} failed={batch.failed} />
        {batch.started_by && <span className="muted">{texts.startedBy(batch.started_by)}</span>}
        <div className={styles.actions}>
          <BatchActions
            batch={batch}
            selected={selected}
            onDeleted={() => navigate(paths.history)}
          />
        </div>
      </div>
      <PauseNotice batch={batch} />
      <BatchPrompt batch={batch} />
      <ProgressBar batch={batch} />
      <BatchProgress batch={batch} />
      <p className="sr-only" aria-live="polite">
        {/* The end is announced at once. */}
        {batch.state === 'running' ? throttled : summary}
      </p>
    </section>
  );
}

function summarise(batch: Batch): string {
  const { state, seconds_left, covered } = batch;
  const timeLeft = covered === null ? texts.summaryTimeLeft : texts.summaryUntilOut;
  const summary = texts.summary({
    state: batchStates[state],
    progress: describeProgress(batch),
  });
  return state === 'running' && seconds_left !== null
    ? `${summary} ${timeLeft(describeTimeLeft(seconds_left))}`
    : summary;
}
