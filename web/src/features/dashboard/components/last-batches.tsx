import type { Batch } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { progressWords } from '../../../lib/batch-words.ts';
import { formatTime } from '../../../lib/format.ts';
import { batchPath, paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/dashboard.ts';
import { Filled } from '../../../ui/filled.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { StateBadge } from '../../../ui/state-badge.tsx';
import { lastBatchesQuery } from '../batch-lists.ts';

export function LastBatches() {
  const query = useQuery(lastBatchesQuery);
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
              {progressWords(batch)}
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
      <Filled
        text={texts.noBatches}
        parts={{ upload: <Link to={paths.ask}>{texts.uploadSpreadsheet}</Link> }}
      />
    </p>
  );
}
