import type { Batch } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { useTitle } from '../../../lib/use-title.ts';
import * as texts from '../../../texts/batches.ts';
import { StillShown } from '../../../ui/stale-while-error.tsx';
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
        <StillShown query={query}>{(batch) => <Shown key={batch.id} batch={batch} />}</StillShown>
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
  useTitle(texts.goneTitle);
  return (
    <section className="card">
      <h2>{texts.gone}</h2>
      <p>{texts.whyGone}</p>
      <div>
        <Link to={paths.history} className="button secondary">
          {texts.seeYours}
        </Link>
      </div>
    </section>
  );
}
