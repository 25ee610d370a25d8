import type { Batch } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { refusalCode } from '../../../lib/api/refusal.ts';
import { useTitle } from '../../../lib/hooks/use-title.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/batches.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import { batchQuery } from '../api.ts';
import { RowsSection } from '../rows/rows-section.tsx';
import styles from './batch-detail.module.css';
import { BatchHead } from './batch-head.tsx';
import { BatchPrompt } from './batch-prompt.tsx';

export function BatchPage() {
  const { id = '' } = useParams();
  const query = useQuery(batchQuery(id));
  return (
    <>
      <p>
        <Link to={paths.history} className={styles.back}>
          <ArrowLeft aria-hidden size={18} /> {texts.allBatches}
        </Link>
      </p>
      {refusalCode(query.error) === 'not_found' ? (
        <NotFound />
      ) : (
        <StaleWhileError query={query}>
          {(batch) => <BatchDetail key={batch.id} batch={batch} />}
        </StaleWhileError>
      )}
    </>
  );
}

function BatchDetail({ batch }: { batch: Batch }) {
  useTitle(batch.name);
  return (
    <>
      <BatchHead batch={batch} />
      <RowsSection batch={batch} />
      <BatchPrompt batch={batch} />
    </>
  );
}

function NotFound() {
  useTitle(texts.batchNotFound);
  return (
    <section className="card">
      <h2>{texts.batchNotFound}</h2>
      <p>{texts.mayBeDeleted}</p>
      <div>
        <ButtonLink to={paths.history} variant="secondary">
          {texts.seeYourBatches}
        </ButtonLink>
      </div>
    </section>
  );
}
