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
import { BatchCounts } from './batch-counts.tsx';
import { PauseNotice } from './pause-notice.tsx';
import { RateChart, useRateSamples } from './rate-chart.tsx';

/** What is read aloud must leave room for everything else. */
const spokenMilliseconds = 10_000;

/** How a batch stands, live, and what can be done with it. */
export function BatchHead({ batch }: { batch: Batch }) {
  const navigate = useNavigate();
  const isRunning = batch.state === 'running';
  const samples = useRateSamples(doneRows(batch), isRunning);
  const spoken = useThrottledValue(summaryOf(batch), spokenMilliseconds);
  return (
    <section className="card" aria-labelledby="batch-title">
      <div className="spread">
        <h2 id="batch-title" className="batch-title" title={batch.name}>
          {batch.name}
        </h2>
        <StateBadge state={batch.state} />
      </div>
      <p className="soft">
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
      <p className="heard" aria-live="polite">
        {spoken}
      </p>
    </section>
  );
}

function summaryOf(batch: Batch): string {
  const left =
    batch.state === 'running' && batch.seconds_left !== null
      ? ` ${texts.summaryTimeLeft(describeTimeLeft(batch.seconds_left))}`
      : '';
  return (
    texts.summary({ state: batchStateNames[batch.state], progress: describeProgress(batch) }) + left
  );
}
