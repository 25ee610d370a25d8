import type { Batch } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { progressWords, stateWords } from '../../../lib/batch-words.ts';
import { formatTime } from '../../../lib/format.ts';
import { batchPath, paths } from '../../../lib/paths.ts';
import { Loading } from '../../../ui/loading.tsx';
import { lastBatchesQuery } from '../batch-lists.ts';

export function LastBatches() {
  const query = useQuery(lastBatchesQuery);
  return (
    <section className="card" aria-labelledby="last-title">
      <h2 id="last-title">Last batches</h2>
      <Loading query={query}>{({ files }) => (files.length === 0 ? <NoneYet /> : <Batches files={files} />)}</Loading>
    </section>
  );
}

function Batches({ files }: { files: readonly Batch[] }) {
  return (
    <>
      <ul className="plain stack">
        {files.map((batch) => (
          <li key={batch.id} className="spread">
            <span className="batch-name">
              <Link to={batchPath(batch.id)}>{batch.name}</Link>
              <span className="soft">
                {formatTime(batch.created_at)} · {progressWords(batch)}
              </span>
            </span>
            <span className="badge">{stateWords[batch.state]}</span>
          </li>
        ))}
      </ul>
      <Link to={paths.history} className="batch-back">
        See all batches
      </Link>
    </>
  );
}

function NoneYet() {
  return (
    <p>
      You have no batches yet. <Link to={paths.ask}>Upload a spreadsheet</Link> and ask a question about each of its rows.
    </p>
  );
}
