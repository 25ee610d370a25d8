import type { Batch } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { Refusal } from '../../../lib/api/refusal.ts';
import { useTitle } from '../../../lib/hooks/use-title.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/batches.ts';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import { batchQuery } from '../api.ts';
import { RowsSection } from '../rows/rows-section.tsx';
import { BatchHead } from './batch-head.tsx';
import { BatchQuestion } from './batch-prompt.tsx';

export function BatchPage() {
  const { id = '' } = useParams();
  const query = useQuery(batchQuery(id));
  const isGone = query.error instanceof Refusal && query.error.code === 'not_found';
  return (
    <>
      <p>
        <Link to={paths.history} className="batch-back">
          <ArrowLeft aria-hidden size={18} /> {texts.allBatches}
        </Link>
      </p>
      {isGone ? (
        <Gone />
      ) : (
        <StaleWhileError query={query}>
          {(batch) => <Shown key={batch.id} batch={batch} />}
        </StaleWhileError>
      )}
    </>
  );
}

function Shown({ batch }: { batch: Batch }) {
  useTitle(batch.name);
  return (
    <>
      <BatchHead batch={batch} />
      <RowsSection batch={batch} />
      <BatchQuestion batch={batch} />
    </>
  );
}

function Gone() {
  useTitle(texts.batchNotFound);
  return (
    <section className="card">
      <h2>{texts.batchNotFound}</h2>
      <p>{texts.mayBeDeleted}</p>
      <div>
        <Link to={paths.history} className="button secondary">
          {texts.seeYourBatches}
        </Link>
      </div>
    </section>
  );
}
