import { type AuditRecord, getAuditLog } from '@rowmill/contract';
import { Link } from 'react-router';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { personPath } from '../../lib/paths.ts';
import * as texts from '../../texts/operators.ts';
import { SearchField } from '../../ui/form/search-field.tsx';
import { EntryList } from '../../ui/list/entry-list.tsx';
import { ListSection } from '../../ui/list/list-section.tsx';
import { useList } from '../../ui/list/use-list.ts';
import { RichText } from '../../ui/rich-text.tsx';

export function AuditSection() {
  const { query, search, page } = useList((page) => queryOf(getAuditLog, page), 50);
  return (
    <ListSection
      title={texts.auditLog}
      hasHiddenTitle
      query={query}
      tools={<SearchField label={texts.search} placeholder={texts.auditHint} {...search} />}
    >
      {({ entries, total, searched }) => (
        <>
          {total === 0 && <p role="status">{texts.nothingMatches}</p>}
          <EntryList entries={entries} paging={{ ...page, total, isCapped: true }}>
            {(entry) => <AuditEntry entry={entry} />}
          </EntryList>
          {searched && (
            <p className="muted">
              {texts.auditSearched(formatNumber(searched.acts), formatNumber(searched.reasons))}
            </p>
          )}
        </>
      )}
    </ListSection>
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
