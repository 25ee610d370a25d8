import { getPeople, type PersonSummary, roleName } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import { listState, useSearchState } from '../../lib/hooks/use-search-state.ts';
import * as texts from '../../texts/operators.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Paging } from '../../ui/paging.tsx';
import { PersonDialog } from './person-dialog.tsx';

const limit = 20;

export function PeopleSection() {
  const [{ search, start }, show] = useSearchState(listState);
  const [open, setOpen] = useState<string | null>(null);
  const query = useQuery({
    ...queryOf(getPeople, { search, start, limit }),
    placeholderData: keepPreviousData,
  });
  const person = query.data?.people.find(({ id }) => id === open);
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
        {({ people, total }) => (
          <>
            <PeopleTable people={people} onOpen={setOpen} />
            <Paging
              start={start}
              shown={people.length}
              total={total}
              limit={limit}
              onGo={(next) => show({ start: next })}
            />
          </>
        )}
      </Loading>
      {person && <PersonDialog person={person} onClose={() => setOpen(null)} />}
    </section>
  );
}

function PeopleTable({
  people,
  onOpen,
}: {
  people: readonly PersonSummary[];
  onOpen: (id: string) => void;
}) {
  return (
    <DataTable label={texts.tableOfPeople} columns={Object.values(texts.peopleColumns)}>
      {people.map((person) => (
        <PersonRow key={person.id} person={person} onOpen={() => onOpen(person.id)} />
      ))}
    </DataTable>
  );
}

function PersonRow({ person, onOpen }: { person: PersonSummary; onOpen: () => void }) {
  const canManage = useCan('managePeople');
  const canAdjust = useCan('adjustCredits');
  const name = `${person.first_name} ${person.last_name}`;
  return (
    <tr>
      <td>
        <strong>{name}</strong>{' '}
        {person.suspended_at && <span className="badge warning">{texts.suspended}</span>}
        <div className="muted">{person.email}</div>
      </td>
      <td data-label={texts.peopleColumns.role}>{roleLabel(person.role_id)}</td>
      <td data-label={texts.peopleColumns.admin}>{person.admin?.name ?? texts.noManager}</td>
      <td data-label={texts.peopleColumns.submissions}>{formatNumber(person.creditsAvailable)}</td>
      <td data-label={texts.peopleColumns.lastSeen}>
        {person.last_seen_at ? formatTime(person.last_seen_at) : texts.neverSeen}
      </td>
      <td>
        {(canManage || canAdjust) && (
          <Button
            variant="secondary"
            aria-label={texts.managePerson(name)}
            aria-haspopup="dialog"
            onClick={onOpen}
          >
            {texts.manage}
          </Button>
        )}
      </td>
    </tr>
  );
}

function roleLabel(roleId: number): string {
  const name = roleName(roleId);
  return name ? texts.roleNames[name] : String(roleId);
}
