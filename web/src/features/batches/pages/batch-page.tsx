import type { Batch } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { batchQuery } from '../api.ts';
import { BatchHead } from '../components/batch-head.tsx';
import { BatchQuestion } from '../components/batch-question.tsx';
import { RowsSection } from '../components/rows-section.tsx';
import { StillShown } from '../components/still-shown.tsx';

export function BatchPage() {
  const { id = '' } = useParams();
  const query = useQuery(batchQuery(id));
  const isGone = query.error instanceof Refusal && query.error.code === 'not_found';
  return (
    <>
      <p>
        <Link to={paths.history} className="batch-back">
          <ArrowLeft aria-hidden size={18} /> All batches
        </Link>
      </p>
      {isGone ? <Gone /> : <StillShown query={query}>{(batch) => <Shown key={batch.id} batch={batch} />}</StillShown>}
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
  useTitle('No such batch');
  return (
    <section className="card">
      <h2>There is no such batch</h2>
      <p>It was deleted, or it belongs to somebody else.</p>
      <div>
        <Link to={paths.history} className="button secondary">
          See your batches
        </Link>
      </div>
    </section>
  );
}
