import { type Activity, getActivity } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryOf } from '../../lib/api/query.ts';
import { formatClock, formatDay } from '../../lib/format.ts';
import { listState, useSearchState } from '../../lib/hooks/use-search-state.ts';
import { isActingAsSelf } from '../../lib/session.ts';
import { useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/clients.ts';
import { EntryList } from '../../ui/entry-list.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Paging } from '../../ui/paging.tsx';

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
            <>
              {[...Map.groupBy(entries, ({ at }) => formatDay(at))].map(([day, ofDay]) => (
                <section key={day} aria-label={day}>
                  <h3>{day}</h3>
                  <EntryList entries={mergeEqual(ofDay)}>
                    {(entry) => <Entry entry={entry} />}
                  </EntryList>
                </section>
              ))}
              <Paging
                start={start}
                shown={entries.length}
                total={total}
                limit={limit}
                isCapped
                onGo={(next) => show({ start: next })}
              />
            </>
          )
        }
      </Loading>
    </section>
  );
}

interface Line extends Activity {
  /** How often the same was done in a row. */
  times: number;
}

/** Equal lines that follow each other become one. */
function mergeEqual(entries: readonly Activity[]): Line[] {
  const lines: Line[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    const isSame =
      last && last.what === entry.what && last.by.id === entry.by.id && last.path === entry.path;
    if (isSame) last.times += 1;
    else lines.push({ ...entry, times: 1 });
  }
  return lines;
}

function Entry({ entry: { at, by, what, path, times } }: { entry: Line }) {
  return (
    <>
      <span className="long">
        <strong>{by.is_self ? texts.you : by.name}</strong>{' '}
        {path ? <Link to={path}>{what}</Link> : what}
        {times > 1 && <span className="muted"> {texts.times(times)}</span>}
      </span>
      <time className="muted" dateTime={at}>
        {formatClock(at)}
      </time>
    </>
  );
}
