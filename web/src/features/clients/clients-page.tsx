import { type ClientSummary, getUsersPlan, userList } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { SearchedPeople } from '../../entities/searched-people.tsx';
import { actAsClient } from '../../lib/acting.ts';
import { queryOf } from '../../lib/api/query.ts';
import { listState, useSearchState } from '../../lib/hooks/use-search-state.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Paging } from '../../ui/paging.tsx';
import { AddClient } from './add-client.tsx';
import { ClientDialog } from './client-dialog.tsx';
import { ClientTable } from './client-table.tsx';

const limit = 20;

export function ClientsPage() {
  const [{ search, start }, show] = useSearchState(listState);
  const [managed, setManaged] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const actAs = useActAs();
  const query = useQuery({
    ...queryOf(userList, { search, start, limit }),
    placeholderData: keepPreviousData,
  });
  const plans = useQuery({ ...queryOf(getUsersPlan, {}), select: ({ plans }) => plans }).data;
  const client = query.data?.users.find(({ id }) => id === managed);
  const canGive = query.data?.can_give ?? null;
  return (
    <section className="card" aria-labelledby="clients-title" aria-busy={query.isFetching}>
      <h2 id="clients-title" className="sr-only">
        {texts.yourClients}
      </h2>
      <div className="search-line">
        <SearchField
          label={texts.search}
          placeholder={texts.searchHint}
          value={search}
          onSearch={(text) => show({ search: text })}
        />
        <Button onClick={() => setAdding(true)}>{texts.addClient}</Button>
      </div>
      <Loading query={query}>
        {({ users, total, searched }) => (
          <>
            {users.length === 0 && (
              <NoClients search={search} start={start} onClear={() => show({ search: '' })} />
            )}
            {users.length > 0 && (
              <>
                <ClientTable
                  clients={users}
                  plans={plans}
                  onActAs={actAs}
                  onManage={({ id }) => setManaged(id)}
                />
                <Paging
                  start={start}
                  shown={users.length}
                  total={total}
                  limit={limit}
                  isCapped
                  onGo={(next) => show({ start: next })}
                />
              </>
            )}
            <SearchedPeople searched={searched} />
          </>
        )}
      </Loading>
      {isAdding && <AddClient canGive={canGive} onClose={() => setAdding(false)} />}
      {client && (
        <ClientDialog client={client} canGive={canGive} onClose={() => setManaged(null)} />
      )}
    </section>
  );
}

function useActAs(): (client: ClientSummary) => void {
  const navigate = useNavigate();
  return (client) => {
    actAsClient(client);
    void navigate(paths.dashboard);
  };
}

function NoClients({
  search,
  start,
  onClear,
}: {
  search: string;
  start: number;
  onClear: () => void;
}) {
  if (!search && !start) return <p>{texts.noClients}</p>;
  return (
    <div className="row">
      <p role="status">{search ? texts.noMatchFor(search) : texts.emptyPage}</p>
      <Button variant="secondary" onClick={onClear}>
        {texts.showAll}
      </Button>
    </div>
  );
}
