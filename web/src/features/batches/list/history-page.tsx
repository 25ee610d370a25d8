import { useQuery } from '@tanstack/react-query';
import { FileSpreadsheet } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/batches.ts';
import { Button } from '../../../ui/button.tsx';
import { Paging } from '../../../ui/paging.tsx';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import { type BatchView, batchesPerPage, batchesQuery } from '../api.ts';
import { BatchTable } from './batch-table.tsx';
import { HistoryTools } from './history-filters.tsx';
import { useHistoryView } from './use-history-view.ts';

export function HistoryPage() {
  const { view, show } = useHistoryView();
  const query = useQuery(batchesQuery(view));
  // What is shown of another search says nothing of this one.
  const isEmpty =
    query.data?.total === 0 && !query.isPlaceholderData && !view.search && !view.state;
  const section = useRef<HTMLElement>(null);
  return (
    <section ref={section} className="card" tabIndex={-1} aria-labelledby="batches-title">
      <h2 id="batches-title">{texts.yourBatches}</h2>
      {!isEmpty && <HistoryTools view={view} onShow={show} />}
      <StaleWhileError query={query}>
        {({ files, total }) =>
          files.length === 0 ? (
            <NothingHere view={view} total={total} onShow={show} />
          ) : (
            <div className="stack" aria-busy={query.isPlaceholderData}>
              {/* The button that was pressed goes with its batch; the focus must not go nowhere. */}
              <BatchTable batches={files} onDeleted={() => section.current?.focus()} />
              <Paging
                start={view.start}
                shown={files.length}
                total={total}
                limit={batchesPerPage}
                onGo={(start) => show({ start })}
              />
            </div>
          )
        }
      </StaleWhileError>
    </section>
  );
}

interface NothingProps {
  view: BatchView;
  total: number;
  onShow: (changes: Partial<BatchView>) => void;
}

function NothingHere({ view, total, onShow }: NothingProps) {
  if (total > 0 || view.search || view.state) {
    return (
      <div className="empty">
        <p>{total > 0 ? texts.pageIsEmpty : texts.noMatchingBatches}</p>
        <div>
          <Button variant="secondary" onClick={() => onShow({ search: '', state: null, start: 0 })}>
            {texts.showAllBatches}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="empty">
      <FileSpreadsheet aria-hidden size={40} />
      <p>{texts.noBatches}</p>
      <div className="row">
        <Link to={paths.ask} className="button primary">
          {texts.createRequest}
        </Link>
        <Link to={`${paths.ask}?sample=1`} className="button secondary">
          {texts.trySample}
        </Link>
      </div>
    </div>
  );
}
