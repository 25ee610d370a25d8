import type { Batch } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { BatchLink } from '../../entities/batch/batch-link.tsx';
import {
  describeProgress,
  describeRate,
  describeTimeLeft,
  describeWait,
} from '../../entities/batch/description.ts';
import { ProgressBar } from '../../entities/batch/progress-bar.tsx';
import { StateBadge } from '../../entities/batch/state-badge.tsx';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/dashboard.ts';
import { RichText } from '../../ui/rich-text.tsx';
import { StaleWhileError } from '../../ui/stale-while-error.tsx';
import styles from './dashboard.module.css';
import { lastBatchesQuery, runningBatchesQuery } from './queries.ts';

export function LastBatches() {
  const query = useQuery(lastBatchesQuery());
  return (
    <section className="card" aria-labelledby="last-title">
      <h2 id="last-title">{texts.lastBatches}</h2>
      <StaleWhileError query={query}>
        {({ files }) => (files.length === 0 ? <NoBatches /> : <BatchList batches={files} />)}
      </StaleWhileError>
    </section>
  );
}

function BatchList({ batches }: { batches: readonly Batch[] }) {
  return (
    <>
      <ul className="plain lines">
        {batches.map((batch) => (
          <li key={batch.id} className={styles.entry}>
            <BatchLink batch={batch} />
            <StateBadge state={batch.state} failed={batch.failed} isBrief />
            <span className={`muted ${styles.detail}`}>
              {formatTime(batch.created_at)}
              {' · '}
              {describeProgress(batch)}
            </span>
          </li>
        ))}
      </ul>
      <Link to={paths.history} className={styles.link}>
        {texts.allBatches}
      </Link>
    </>
  );
}

function NoBatches() {
  return (
    <p>
      <RichText
        text={texts.noBatches}
        parts={{ upload: <Link to={paths.ask}>{texts.uploadSpreadsheet}</Link> }}
      />
    </p>
  );
}

export function RunningBatches() {
  const query = useQuery(runningBatchesQuery());
  return (
    <section className="card" aria-labelledby="running-title">
      <h2 id="running-title">{texts.runningNow}</h2>
      <StaleWhileError query={query}>
        {({ files, total }) => (
          <>
            {files.length === 0 && <p className="muted">{texts.noBatchesRunning}</p>}
            <ul className="plain stack">
              {files.map((batch) => (
                <RunningBatch key={batch.id} batch={batch} />
              ))}
            </ul>
            {total > files.length && (
              <Link to={`${paths.history}?state=running`} className={styles.link}>
                {texts.seeAll(formatNumber(total))}
              </Link>
            )}
          </>
        )}
      </StaleWhileError>
    </section>
  );
}

function RunningBatch({ batch }: { batch: Batch }) {
  return (
    <li className={styles.running}>
      <BatchLink batch={batch} />
      <ProgressBar batch={batch} />
      <span>{describeProgress(batch)}</span>
      <span className="muted">
        {describeWait(batch) ??
          texts.rateAndTimeLeft({
            rate: describeRate(batch.rows_per_minute),
            left: describeTimeLeft(batch.seconds_left).toLowerCase(),
          })}
      </span>
    </li>
  );
}
