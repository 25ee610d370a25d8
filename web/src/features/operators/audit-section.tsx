import { type AuditRecord, getAuditLog } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOf } from '../../lib/api/query.ts';
import { formatTime } from '../../lib/format.ts';
import { listState, useSearchState } from '../../lib/hooks/use-search-state.ts';
import * as texts from '../../texts/operators.ts';
import { EntryList } from '../../ui/entry-list.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Loading } from '../../ui/loading.tsx';

const limit = 50;

export function AuditSection() {
  const [{ search, start }, show] = useSearchState(listState);
  const query = useQuery({
    ...queryOf(getAuditLog, { search, start, limit }),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="card" aria-labelledby="audit-title" aria-busy={query.isFetching}>
      <h2 id="audit-title">{texts.auditLog}</h2>
      <SearchField
        label={texts.search}
        placeholder={texts.auditHint}
        value={search}
        onSearch={(text) => show({ search: text })}
      />
      <Loading query={query}>
        {({ entries, total }) => (
          <>
            {total === 0 && <p role="status">{texts.nothingMatches}</p>}
            <EntryList
              entries={entries}
              paging={{ start, limit, total, onGo: (next) => show({ start: next }) }}
            >
              {(entry) => <Entry entry={entry} />}
            </EntryList>
          </>
        )}
      </Loading>
    </section>
  );
}

function Entry({ entry: { at, actor, subject, what, request_id } }: { entry: AuditRecord }) {
  return (
    <>
      <span className="long">
        <strong>{actor.name}</strong> {what}
        {subject.id !== actor.id && ` ${texts.actFor(subject)}`}
      </span>
      <span className="muted">
        <time dateTime={at}>{formatTime(at)}</time> <code className="long">{request_id}</code>
      </span>
    </>
  );
}
