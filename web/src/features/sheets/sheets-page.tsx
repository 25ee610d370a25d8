import { type AnswerOf, listFiles } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { type Storage, StorageNotice } from '../../entities/storage-notice.tsx';
import { queryOf } from '../../lib/api/query.ts';
import { formatBytes, formatNumber } from '../../lib/format.ts';
import { pageStart, useSearchState } from '../../lib/hooks/use-search-state.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/sheets.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Paging } from '../../ui/list/paging.tsx';
import { StaleWhileError } from '../../ui/stale-while-error.tsx';
import { SheetTable } from './sheet-table.tsx';

const sheetsPerPage = 20;
const pageState = { start: pageStart };

export function SheetsPage() {
  const [{ start }, show] = useSearchState(pageState);
  const query = useQuery({
    ...queryOf(listFiles, { start, limit: sheetsPerPage }),
    // Batches that start or end change what is used.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const section = useRef<HTMLElement>(null);
  return (
    <section ref={section} className="card" tabIndex={-1} aria-labelledby="sheets-title">
      <h2 id="sheets-title" className="sr-only">
        {texts.yourSheets}
      </h2>
      <StaleWhileError query={query}>
        {({ files, total, storage }) => (
          <div className="stack" aria-busy={query.isPlaceholderData}>
            <StorageUse storage={storage} />
            {files.length === 0 ? (
              <NoSheets isFirstPage={start === 0} onFirstPage={() => show({ start: 0 })} />
            ) : (
              <SheetList
                files={files}
                total={total}
                start={start}
                onGo={(to) => show({ start: to })}
                // Deleting a sheet removes the focused button, so the focus moves to the section.
                onDeleted={() => section.current?.focus()}
              />
            )}
          </div>
        )}
      </StaleWhileError>
    </section>
  );
}

function StorageUse({ storage }: { storage: Storage }) {
  const id = useId();
  const { used_bytes: used, quota_bytes: quota, unused_days: days } = storage;
  return (
    <>
      <StorageNotice storage={storage} />
      <p className="row">
        <label htmlFor={id}>{texts.storage}</label>
        <progress id={id} max={quota} value={Math.min(used, quota)} />
        <span>{texts.storageUsed(formatBytes(used), formatBytes(quota))}</span>
      </p>
      <p className="muted">
        {texts.storageCounts} {texts.unusedExpire(formatNumber(days))} {texts.usedByBatches}
      </p>
    </>
  );
}

interface ListProps {
  files: AnswerOf<typeof listFiles>['files'];
  total: number;
  start: number;
  onGo: (start: number) => void;
  onDeleted: () => void;
}

function SheetList({ files, total, start, onGo, onDeleted }: ListProps) {
  return (
    <>
      <SheetTable sheets={files} onDeleted={onDeleted} />
      <Paging start={start} shown={files.length} total={total} limit={sheetsPerPage} onGo={onGo} />
    </>
  );
}

function NoSheets({ isFirstPage, onFirstPage }: { isFirstPage: boolean; onFirstPage: () => void }) {
  return (
    <>
      <p>{isFirstPage ? texts.noSheets : texts.pageIsEmpty}</p>
      <div>
        {isFirstPage ? (
          <ButtonLink to={paths.ask}>{texts.upload}</ButtonLink>
        ) : (
          <Button variant="secondary" onClick={onFirstPage}>
            {texts.firstPage}
          </Button>
        )}
      </div>
    </>
  );
}
