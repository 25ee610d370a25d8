import { type AnswerOf, batchOrders, batchStates, type getProcessedFiles } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { FileSpreadsheet } from 'lucide-react';
import { useRef } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import { listState, oneOf, useSearchState } from '../../../lib/hooks/use-search-state.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/batches/list.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Segments } from '../../../ui/form/segments.tsx';
import { Paging } from '../../../ui/list/paging.tsx';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import { type BatchView, batchesQuery, batchPageSizes } from '../api.ts';
import { BatchTable } from './batch-table.tsx';
import styles from './history.module.css';
import { HistoryFilters } from './history-filters.tsx';
import { SelectionBar, useSelection } from './selection.tsx';

const historyState = {
  ...listState,
  state: oneOf(batchStates, null),
  sort: oneOf(batchOrders, 'newest'),
  size: oneOf(batchPageSizes, '50'),
};

export function HistoryPage() {
  const [view, show] = useSearchState(historyState);
  const query = useQuery(batchesQuery(view));
  // Placeholder data belongs to another search, so it does not say whether there are batches.
  const isEmpty =
    query.data?.total === 0 && !query.isPlaceholderData && !view.search && !view.state;
  const selection = useSelection();
  const section = useRef<HTMLElement>(null);
  return (
    <section
      ref={section}
      className={`stack ${styles.page}`}
      tabIndex={-1}
      aria-labelledby="batches-title"
    >
      <h2 id="batches-title" className="sr-only">
        {texts.yourBatches}
      </h2>
      {!isEmpty && <HistoryFilters view={view} counts={query.data?.counts} onShow={show} />}
      <StaleWhileError query={query}>
        {({ files, total, searched }) =>
          total === 0 ? (
            <>
              <NoBatches view={view} onShow={show} />
              <SearchBound searched={searched} />
            </>
          ) : (
            <div className="stack" aria-busy={query.isPlaceholderData}>
              <SelectionBar batches={files} selection={selection} />
              <div className={styles.list}>
                {/* Deleting removes the focused button: the section gets the focus. */}
                <BatchTable
                  batches={files}
                  sort={view.sort}
                  selection={selection}
                  onSort={(sort) => show({ sort, start: 0 })}
                  onDeleted={() => section.current?.focus()}
                />
              </div>
              <SearchBound searched={searched} />
              <div className={styles.foot}>
                <Paging
                  start={view.start}
                  shown={files.length}
                  total={total}
                  limit={Number(view.size)}
                  onGo={(start, options) => show({ start }, options)}
                />
                {total > Number(batchPageSizes[0]) && (
                  <Segments
                    label={texts.perPage}
                    choices={{ '50': '50', '100': '100' }}
                    chosen={view.size}
                    onChoose={(size) => show({ size, start: 0 })}
                  />
                )}
              </div>
            </div>
          )
        }
      </StaleWhileError>
    </section>
  );
}

interface NoBatchesProps {
  view: BatchView;
  onShow: (changes: Partial<BatchView>) => void;
}

function NoBatches({ view, onShow }: NoBatchesProps) {
  if (view.search || view.state) {
    return (
      <div className={styles.empty}>
        <p>{texts.noMatchingBatches}</p>
        <div>
          <Button variant="secondary" onClick={() => onShow({ search: '', state: null })}>
            {texts.showAllBatches}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className={styles.empty}>
      <FileSpreadsheet aria-hidden size={40} />
      <p>{texts.noBatches}</p>
      <div className={`row ${styles.buttons}`}>
        <ButtonLink to={paths.ask}>{texts.createRequest}</ButtonLink>
        <ButtonLink to={`${paths.ask}?sample=1`} variant="secondary">
          {texts.trySample}
        </ButtonLink>
      </div>
    </div>
  );
}

/** Says how far a search looked, when it did not look at everything. */
function SearchBound({ searched }: Pick<AnswerOf<typeof getProcessedFiles>, 'searched'>) {
  if (!searched) return null;
  const { names, prompts } = searched;
  return (
    <p className="muted">{texts.searchedNewest(formatNumber(names), formatNumber(prompts))}</p>
  );
}
