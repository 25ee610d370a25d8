import { type CatalogueChange, getCatalogueHistory } from '@rowmill/contract';
import { queryOf } from '../../lib/api/query.ts';
import { formatTime } from '../../lib/format.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { EntryList } from '../../ui/list/entry-list.tsx';
import { ListSection } from '../../ui/list/list-section.tsx';
import { useList } from '../../ui/list/use-list.ts';
import { actOf, fieldsOf } from './change-words.ts';

/** Nothing of it can be edited or deleted. */
export function HistorySection() {
  const { query, page } = useList(({ start, limit }) =>
    queryOf(getCatalogueHistory, { start, limit }),
  );
  return (
    <ListSection title={texts.history} query={query}>
      {({ changes, total }) =>
        total === 0 ? (
          <p>{texts.nothingChanged}</p>
        ) : (
          <EntryList entries={changes} paging={{ ...page, total }}>
            {(change) => <Entry change={change} />}
          </EntryList>
        )
      }
    </ListSection>
  );
}

function Entry({ change }: { change: CatalogueChange }) {
  return (
    <>
      <span className="long">
        <strong>{change.by?.name ?? texts.theSystem}</strong> {actOf(change)}
      </span>
      <ul className="plain long">
        {fieldsOf(change).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <time className="muted" dateTime={change.at}>
        {formatTime(change.at)}
      </time>
    </>
  );
}
