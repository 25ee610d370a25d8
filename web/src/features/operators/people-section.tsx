import { getPeople, type PersonSummary, roleName } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { SearchedPeople } from '../../entities/searched-people.tsx';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber } from '../../lib/format.ts';
import { listState, useSearchState } from '../../lib/hooks/use-search-state.ts';
import { personPath } from '../../lib/paths.ts';
import * as texts from '../../texts/operators.ts';
import { DataTable, ShortTime } from '../../ui/data-table.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Paging } from '../../ui/paging.tsx';

const limit = 20;

export function PeopleSection() {
  const [{ search, start }, show] = useSearchState(listState);
  const query = useQuery({
    ...queryOf(getPeople, { search, start, limit }),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="card" aria-labelledby="people-title" aria-busy={query.isFetching}>
      <h2 id="people-title" className="sr-only">
        {texts.people}
      </h2>
      <SearchField
        label={texts.search}
        placeholder={texts.peopleHint}
        value={search}
        onSearch={(text) => show({ search: text })}
      />
      <Loading query={query}>
        {({ people, total, searched }) => (
          <>
            {total === 0 && <p role="status">{texts.nothingMatches}</p>}
            {total > 0 && <PeopleTable people={people} />}
            <Paging
              start={start}
              shown={people.length}
              total={total}
              limit={limit}
              isCapped
              onGo={(next) => show({ start: next })}
            />
            <SearchedPeople searched={searched} />
          </>
        )}
      </Loading>
    </section>
  );
}

function PeopleTable({ people }: { people: readonly PersonSummary[] }) {
  return (
    <DataTable
      label={texts.tableOfPeople}
      columns={Object.values(texts.peopleColumns)}
      amounts={[texts.peopleColumns.submissions]}
    >
      {people.map((person) => (
        <PersonRow key={person.id} person={person} />
      ))}
    </DataTable>
  );
}

function PersonRow({ person }: { person: PersonSummary }) {
  return (
    <tr>
      <td>
        <Link to={personPath(person.id)}>
          {person.first_name} {person.last_name}
        </Link>{' '}
        {person.suspended_at && <span className="badge warning">{texts.suspended}</span>}
        <div className="muted">{person.email}</div>
      </td>
      <td data-label={texts.peopleColumns.role}>{roleLabel(person.role_id)}</td>
      <td data-label={texts.peopleColumns.admin}>{person.admin?.name ?? texts.noManager}</td>
      <td className="amount" data-label={texts.peopleColumns.submissions}>
        {formatNumber(person.creditsAvailable)}
      </td>
      <td data-label={texts.peopleColumns.lastSeen}>
        {person.last_seen_at ? <ShortTime instant={person.last_seen_at} /> : texts.neverSeen}
      </td>
    </tr>
  );
}

export function roleLabel(roleId: number): string {
  const name = roleName(roleId);
  return name ? texts.roleNames[name] : String(roleId);
}
