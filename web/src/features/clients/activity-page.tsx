import { type Activity, getActivity } from '@rowmill/contract';
import { Link } from 'react-router';
import { queryOf } from '../../lib/api/query.ts';
import { formatClock, formatDay } from '../../lib/format.ts';
import { useActedClient } from '../../lib/session.ts';
import * as texts from '../../texts/clients.ts';
import { EntryList } from '../../ui/list/entry-list.tsx';
import { ListSection } from '../../ui/list/list-section.tsx';
import { Paging } from '../../ui/list/paging.tsx';
import { useList } from '../../ui/list/use-list.ts';

/** Everything done in this account, by the person or by others. */
export function ActivityPage() {
  const client = useActedClient();
  const { query, page } = useList(({ start, limit }) => queryOf(getActivity, { start, limit }), 50);
  return (
    <ListSection
      title={texts.whoDidWhat}
      hasHiddenTitle
      query={query}
      tools={
        <p className="muted">
          {client ? texts.changedInTheirs(client.first_name) : texts.changedInYours}
        </p>
      }
    >
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
            <Paging {...page} shown={entries.length} total={total} isCapped />
          </>
        )
      }
    </ListSection>
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
