import type { Batch } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  describeProgress,
  describeRate,
  describeTimeLeft,
} from '../../entities/batch/description.ts';
import { ProgressBar } from '../../entities/batch/progress-bar.tsx';
import { StateBadge } from '../../entities/batch/state-badge.tsx';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { batchPath, paths } from '../../lib/paths.ts';
import * as texts from '../../texts/dashboard.ts';
import { Loading } from '../../ui/loading.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { lastBatchesQuery, runningBatchesQuery } from './queries.ts';

export function LastBatches() {
  const query = useQuery(lastBatchesQuery());
  return (
    <section className="card" aria-labelledby="last-title">
      <h2 id="last-title">{texts.lastBatches}</h2>
      <Loading query={query}>
        {({ files }) => (files.length === 0 ? <NoneYet /> : <Batches files={files} />)}
      </Loading>
    </section>
  );
}

function Batches({ files }: { files: readonly Batch[] }) {
  return (
    <>
      <ul className="plain lines">
        {files.map((batch) => (
          <li key={batch.id} className="batch-line">
            <Link to={batchPath(batch.id)} className="cut" title={batch.name}>
              {batch.name}
            </Link>
            <StateBadge state={batch.state} />
            <span className="soft">
              {formatTime(batch.created_at)}
              {' · '}
              {describeProgress(batch)}
            </span>
          </li>
        ))}
      </ul>
      <Link to={paths.history} className="batch-back">
        {texts.allBatches}
      </Link>
    </>
  );
}

function NoneYet() {
  return (
    <p>
      <RichText
        text={texts.noBatches}
        parts={{ upload: <Link to={paths.ask}>{texts.uploadSpreadsheet}</Link> }}
      />
    </p>
  );
}

/** What is being worked on now, as it moves. */
export function RunningBatches() {
  const query = useQuery(runningBatchesQuery());
  return (
    <section className="card" aria-labelledby="running-title">
      <h2 id="running-title">{texts.running}</h2>
      <Loading query={query}>
        {({ files, total }) => (
          <>
            {files.length === 0 && <p className="soft">{texts.nothingRuns}</p>}
            <ul className="plain stack">
              {files.map((batch) => (
                <RunningBatch key={batch.id} batch={batch} />
              ))}
            </ul>
            {total > files.length && (
              <Link to={`${paths.history}?state=running`} className="batch-back">
                {texts.allRunning(formatNumber(total))}
              </Link>
            )}
          </>
        )}
      </Loading>
    </section>
  );
}

function RunningBatch({ batch }: { batch: Batch }) {
  return (
    <li className="batch-running">
      <Link to={batchPath(batch.id)} className="cut" title={batch.name}>
        {batch.name}
      </Link>
      <ProgressBar batch={batch} />
      <span>{describeProgress(batch)}</span>
      <span className="soft">
        {texts.pace({
          rate: describeRate(batch.rows_per_minute),
          left: describeTimeLeft(batch.seconds_left).toLowerCase(),
        })}
      </span>
    </li>
  );
}
