import type { Batch } from '@rowmill/contract';
import { useNavigate } from 'react-router';
import {
  batchStateNames,
  describeProgress,
  describeTimeLeft,
  doneRows,
} from '../../../entities/batch/description.ts';
import { ProgressBar } from '../../../entities/batch/progress-bar.tsx';
import { StateBadge } from '../../../entities/batch/state-badge.tsx';
import { formatTime } from '../../../lib/format.ts';
import { useThrottledValue } from '../../../lib/hooks/timing.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/batches.ts';
import { BatchActions } from '../actions/batch-actions.tsx';
import { PauseNotice } from '../pause-notice.tsx';
import { BatchCounts } from './batch-counts.tsx';
import styles from './batch-detail.module.css';
import { RateChart, useRateSamples } from './rate-chart.tsx';

/** Progress is announced this often, so a screen reader has time for the rest of the page; a new state is announced at once. */
const announceMilliseconds = 10_000;

/** The live state of a batch and its actions. */
export function BatchHead({ batch }: { batch: Batch }) {
  const navigate = useNavigate();
  const isRunning = batch.state === 'running';
  const samples = useRateSamples(doneRows(batch), isRunning);
  const announced = useThrottledValue(summarise(batch), announceMilliseconds, batch.state);
  return (
    <section className="card" aria-labelledby="batch-title">
      <div className="spread">
        <h2 id="batch-title" className={styles.name} title={batch.name}>
          {batch.name}
        </h2>
        <StateBadge state={batch.state} />
      </div>
      <p className="muted">
        {texts.created(formatTime(batch.created_at))}
        {batch.started_by && ` · ${texts.startedBy(batch.started_by)}`}
        {batch.ended_at && ` · ${texts.ended(formatTime(batch.ended_at))}`}
      </p>
      <PauseNotice batch={batch} />
      <ProgressBar batch={batch} />
      {batch.receipt && <h3>{texts.receipt}</h3>}
      <BatchCounts batch={batch} />
      <BatchActions batch={batch} onDeleted={() => navigate(paths.history)} />
      {(isRunning || samples.length > 2) && <RateChart samples={samples} />}
      <p className="sr-only" aria-live="polite">
        {announced}
      </p>
    </section>
  );
}

function summarise(batch: Batch): string {
  const { state, seconds_left } = batch;
  const summary = texts.summary({
    state: batchStateNames[state],
    progress: describeProgress(batch),
  });
  return state === 'running' && seconds_left !== null
    ? `${summary} ${texts.summaryTimeLeft(describeTimeLeft(seconds_left))}`
    : summary;
}
