import type { Batch } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { refusalCode } from '../../../lib/api/refusal.ts';
import { useTitle } from '../../../lib/hooks/use-title.ts';
import { paths } from '../../../lib/paths.ts';
import { useSubjectId } from '../../../lib/session.ts';
import * as texts from '../../../texts/batches/batch.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import { batchQuery } from '../api.ts';
import { noRows } from '../rows/row-selection.tsx';
import { RowsSection } from '../rows/rows-section.tsx';
import styles from './batch-detail.module.css';
import { BatchHead } from './batch-head.tsx';
import { ForeignBatch } from './foreign-batch.tsx';

export function BatchPage() {
  const { id = '' } = useParams();
  const query = useQuery(batchQuery(id));
  const subjectId = useSubjectId();
  return (
    <div className={`${styles.page} full-page`}>
      {refusalCode(query.error) === 'not_found' ? (
        <NotFound />
      ) : (
        <>
          {!query.data && <h1 className="sr-only">{texts.batch}</h1>}
          <StaleWhileError query={query}>
            {(batch) =>
              batch.user_id === subjectId ? (
                <BatchDetail key={batch.id} batch={batch} />
              ) : (
                <ForeignBatch batch={batch} />
              )
            }
          </StaleWhileError>
        </>
      )}
    </div>
  );
}

function BatchDetail({ batch }: { batch: Batch }) {
  useTitle(batch.name);
  const [selected, setSelected] = useState(noRows);
  return (
    <>
      <BatchHead batch={batch} selected={selected} />
      <RowsSection batch={batch} selected={selected} onSelected={setSelected} />
    </>
  );
}

function NotFound() {
  useTitle(texts.batchNotFound);
  return (
    <section className="card">
      <h1 className={styles.name}>{texts.batchNotFound}</h1>
      <p>{texts.mayBeDeleted}</p>
      <div>
        <ButtonLink to={paths.history} variant="secondary">
          {texts.seeYourBatches}
        </ButtonLink>
      </div>
    </section>
  );
}
