import type { Batch } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { percentDone, progressWords, rateWords, timeLeftWords } from '../../../lib/batch-words.ts';
import { formatNumber } from '../../../lib/format.ts';
import { batchPath, paths } from '../../../lib/paths.ts';
import { Loading } from '../../../ui/loading.tsx';
import { runningBatchesQuery } from '../batch-lists.ts';

/** What is being worked on now, as it moves. */
export function RunningBatches() {
  const query = useQuery(runningBatchesQuery);
  return (
    <section className="card" aria-labelledby="running-title">
      <h2 id="running-title">Running now</h2>
      <Loading query={query}>
        {({ files, total }) => (
          <>
            {files.length === 0 && <p className="soft">Nothing is running.</p>}
            <ul className="plain stack">
              {files.map((batch) => (
                <RunningBatch key={batch.id} batch={batch} />
              ))}
            </ul>
            {total > files.length && (
              <Link to={`${paths.history}?state=running`} className="batch-back">
                See all {formatNumber(total)}
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
      <Link to={batchPath(batch.id)}>{batch.name}</Link>
      <progress value={percentDone(batch)} max={100} aria-label={`Progress of ${batch.name}`} />
      <span>{progressWords(batch)}</span>
      <span className="soft">
        {rateWords(batch.rows_per_minute)}, {timeLeftWords(batch.seconds_left).toLowerCase()}
      </span>
    </li>
  );
}
