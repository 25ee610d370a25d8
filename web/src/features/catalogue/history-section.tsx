import type { CatalogueChange } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { formatTime } from '../../lib/format.ts';
import { listState, useSearchState } from '../../lib/hooks/use-search-state.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { EntryList } from '../../ui/entry-list.tsx';
import { Loading } from '../../ui/loading.tsx';
import { historyLimit, historyQuery } from './api.ts';
import { actOf, fieldsOf } from './change-words.ts';

/** Nothing of it can be edited or deleted. */
export function HistorySection() {
  const [{ start }, show] = useSearchState(listState);
  const query = useQuery(historyQuery(start));
  return (
    <section className="card" aria-labelledby="history-title" aria-busy={query.isFetching}>
      <h2 id="history-title">{texts.history}</h2>
      <Loading query={query}>
        {({ changes, total }) =>
          total === 0 ? (
            <p>{texts.nothingChanged}</p>
          ) : (
            <EntryList
              entries={changes}
              paging={{ start, limit: historyLimit, total, onGo: (next) => show({ start: next }) }}
            >
              {(change) => <Entry change={change} />}
            </EntryList>
          )
        }
      </Loading>
    </section>
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
