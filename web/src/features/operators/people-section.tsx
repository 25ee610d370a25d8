import { getPeople, type PersonSummary, roleName } from '@rowmill/contract';
import { Link } from 'react-router';
import { SearchedPeople } from '../../entities/searched-people.tsx';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber } from '../../lib/format.ts';
import { personPath } from '../../lib/paths.ts';
import { owesSubmissions } from '../../texts/entities.ts';
import * as texts from '../../texts/operators.ts';
import { DataTable, ShortTime } from '../../ui/data-table.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { ListSection } from '../../ui/list/list-section.tsx';
import { Paging } from '../../ui/list/paging.tsx';
import { useList } from '../../ui/list/use-list.ts';

export function PeopleSection() {
  const { query, search, page } = useList((page) => queryOf(getPeople, page));
  return (
    <ListSection
      title={texts.people}
      hasHiddenTitle
      query={query}
      tools={<SearchField label={texts.search} placeholder={texts.peopleHint} {...search} />}
    >
      {({ people, total, searched }) => (
        <>
          {total === 0 && <p role="status">{texts.nothingMatches}</p>}
          {total > 0 && <PeopleTable people={people} />}
          <Paging {...page} shown={people.length} total={total} isCapped />
          <SearchedPeople searched={searched} />
        </>
      )}
    </ListSection>
  );
}

function PeopleTable({ people }: { people: readonly PersonSummary[] }) {
  return (
    <DataTable
      label={texts.tableOfPeople}
      columns={texts.peopleColumns}
      amounts={['submissions']}
      rows={people}
      keyOf={({ id }) => id}
      cells={(person) => ({
        name: (
          <>
            <Link to={personPath(person.id)}>
              {person.first_name} {person.last_name}
            </Link>{' '}
            {person.suspended_at && <span className="badge warning">{texts.suspended}</span>}
            <div className="muted">{person.email}</div>
          </>
        ),
        role: roleLabel(person.role_id),
        admin: person.admin?.name ?? texts.noManager,
        submissions: (
          <>
            {formatNumber(person.creditsAvailable)}
            {person.debt > 0 && (
              <div className="muted">{owesSubmissions(formatNumber(person.debt))}</div>
            )}
          </>
        ),
        lastSeen: person.last_seen_at ? (
          <ShortTime instant={person.last_seen_at} />
        ) : (
          texts.neverSeen
        ),
      })}
    />
  );
}

export function roleLabel(roleId: number): string {
  const name = roleName(roleId);
  return name ? texts.roleNames[name] : String(roleId);
}
