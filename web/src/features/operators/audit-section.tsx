import { type AuditRecord, getAuditLog } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { listState, useSearchState } from '../../lib/hooks/use-search-state.ts';
import { personPath } from '../../lib/paths.ts';
import * as texts from '../../texts/operators.ts';
import { EntryList } from '../../ui/entry-list.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { RichText } from '../../ui/rich-text.tsx';

const limit = 50;

export function AuditSection() {
  const [{ search, start }, show] = useSearchState(listState);
  const query = useQuery({
    ...queryOf(getAuditLog, { search, start, limit }),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="card" aria-labelledby="audit-title" aria-busy={query.isFetching}>
      <h2 id="audit-title" className="sr-only">
        {texts.auditLog}
      </h2>
      <SearchField
        label={texts.search}
        placeholder={texts.auditHint}
        value={search}
        onSearch={(text) => show({ search: text })}
      />
      <Loading query={query}>
        {({ entries, total, searched }) => (
          <>
            {total === 0 && <p role="status">{texts.nothingMatches}</p>}
            <EntryList
              entries={entries}
              paging={{
                start,
                limit,
                total,
                isCapped: true,
                onGo: (next) => show({ start: next }),
              }}
            >
              {(entry) => <AuditEntry entry={entry} />}
            </EntryList>
            {searched && (
              <p className="muted">
                {texts.auditSearched(formatNumber(searched.acts), formatNumber(searched.reasons))}
              </p>
            )}
          </>
        )}
      </Loading>
    </section>
  );
}

export function AuditEntry({
  entry: { at, actor, subject, what, request_id },
}: {
  entry: AuditRecord;
}) {
  return (
    <>
      <span className="long">
        <Link to={personPath(actor.id)}>{actor.name}</Link> {what}
        {subject.id !== actor.id && (
          <>
            {' '}
            <RichText
              text={texts.actFor}
              parts={{ person: <Link to={personPath(subject.id)}>{subject.name}</Link> }}
            />
          </>
        )}
      </span>
      <span className="muted">
        <time dateTime={at} title={texts.requestId(request_id)}>
          {formatTime(at)}
        </time>
      </span>
    </>
  );
}
