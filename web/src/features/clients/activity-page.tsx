import { type Activity, getActivity } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOf } from '../../lib/api/query.ts';
import { formatTime } from '../../lib/format.ts';
import { listState, useSearchState } from '../../lib/hooks/use-search-state.ts';
import { isActingAsSelf } from '../../lib/session.ts';
import { useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/clients.ts';
import { EntryList } from '../../ui/entry-list.tsx';
import { Loading } from '../../ui/loading.tsx';

const limit = 50;

/** Everything done in this account, by the person or by others. */
export function ActivityPage() {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  const [{ start }, show] = useSearchState(listState);
  const query = useQuery({
    ...queryOf(getActivity, { start, limit }),
    placeholderData: keepPreviousData,
  });
  const isOwn = !switchedAs || isActingAsSelf({ user, switchedAs });
  return (
    <section className="card" aria-labelledby="activity-title" aria-busy={query.isFetching}>
      <h2 id="activity-title" className="sr-only">
        {texts.whoDidWhat}
      </h2>
      <p className="muted">
        {isOwn ? texts.changedInYours : texts.changedInTheirs(switchedAs.first_name)}
      </p>
      <Loading query={query}>
        {({ entries, total }) =>
          total === 0 ? (
            <p>{texts.nothingYet}</p>
          ) : (
            <EntryList
              entries={entries}
              paging={{ start, limit, total, onGo: (next) => show({ start: next }) }}
            >
              {(entry) => <Entry entry={entry} />}
            </EntryList>
          )
        }
      </Loading>
    </section>
  );
}

function Entry({ entry: { at, by, what } }: { entry: Activity }) {
  return (
    <>
      <span className="long">
        <strong>{by.is_self ? texts.you : by.name}</strong> {what}
      </span>
      <time className="muted" dateTime={at}>
        {formatTime(at)}
      </time>
    </>
  );
}
