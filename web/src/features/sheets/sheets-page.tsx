import { type AnswerOf, listFiles } from '@rowmill/contract';
import { useId, useRef } from 'react';
import { type Storage, StorageNotice } from '../../entities/storage-notice.tsx';
import { queryOf } from '../../lib/api/query.ts';
import { formatBytes, formatNumber } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/sheets.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { NothingFound } from '../../ui/list/list-section.tsx';
import { Paging } from '../../ui/list/paging.tsx';
import { useList } from '../../ui/list/use-list.ts';
import { StaleWhileError } from '../../ui/stale-while-error.tsx';
import { SheetTable } from './sheet-table.tsx';

type Answer = AnswerOf<typeof listFiles>;

export function SheetsPage() {
  // Batches that start or end change what is used.
  const list = useList((page) => ({ ...queryOf(listFiles, page), staleTime: 0 }));
  const section = useRef<HTMLElement>(null);
  return (
    <section ref={section} className="card" tabIndex={-1} aria-labelledby="sheets-title">
      <h2 id="sheets-title" className="sr-only">
        {texts.yourSheets}
      </h2>
      <StaleWhileError query={list.query}>
        {(answer) => (
          <div className="stack" aria-busy={list.query.isPlaceholderData}>
            <StorageUse storage={answer.storage} />
            {(answer.total > 0 || list.isSearched) && (
              <SearchField label={texts.search} {...list.search} />
            )}
            {/* Deleting a sheet removes the focused button, so the focus moves to the section. */}
            <Sheets answer={answer} list={list} onDeleted={() => section.current?.focus()} />
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

interface SheetsProps {
  answer: Answer;
  list: Omit<ReturnType<typeof useList>, 'query'>;
  onDeleted: () => void;
}

function Sheets({ answer: { files, total }, list, onDeleted }: SheetsProps) {
  if (total > 0)
    return (
      <>
        <SheetTable sheets={files} onDeleted={onDeleted} />
        <Paging {...list.page} shown={files.length} total={total} />
      </>
    );
  if (list.isSearched)
    return (
      <NothingFound
        text={texts.noMatchFor(list.search.value)}
        all={texts.showAll}
        onAll={list.showAll}
      />
    );
  return (
    <>
      <p>{texts.noSheets}</p>
      <div>
        <ButtonLink to={paths.ask}>{texts.upload}</ButtonLink>
      </div>
    </>
  );
}
