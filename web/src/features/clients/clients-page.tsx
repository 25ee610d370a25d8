import {
  type ClientFilter,
  type ClientSummary,
  clientFilters,
  clientOrders,
  getUsersPlan,
  userList,
} from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { SearchedPeople } from '../../entities/searched-people.tsx';
import { actAsAdmin, actAsClient } from '../../lib/acting.ts';
import { queryOf } from '../../lib/api/query.ts';
import { listState, oneOf, useSearchState } from '../../lib/hooks/use-search-state.ts';
import { paths } from '../../lib/paths.ts';
import { useIdentity } from '../../lib/session.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Segments } from '../../ui/form/segments.tsx';
import { ListSection, NothingFound } from '../../ui/list/list-section.tsx';
import { Paging } from '../../ui/list/paging.tsx';
import { useList } from '../../ui/list/use-list.ts';
import { AddClient } from './add-client.tsx';
import { ClientDialog } from './client-dialog.tsx';
import { ClientTable } from './client-table.tsx';

const clientsState = {
  ...listState,
  filter: oneOf(clientFilters, null),
  sort: oneOf(clientOrders, 'newest'),
};

/** The list belongs to the Admin view. */
export function ClientsPage() {
  const { switchedAs } = useIdentity();
  if (switchedAs?.role !== 'Client') return <ClientList />;
  return (
    <section className="card stack">
      <p>{texts.listInAdminView}</p>
      <div>
        <Button onClick={actAsAdmin}>{texts.showYourClients}</Button>
      </div>
    </section>
  );
}

function ClientList() {
  const [managed, setManaged] = useState<ClientSummary | null>(null);
  const [isAdding, setAdding] = useState(false);
  const actAs = useActAs();
  const [{ filter, sort }, show] = useSearchState(clientsState);
  const list = useList((page) => queryOf(userList, { ...page, ...(filter && { filter }), sort }));
  const plans = useQuery(queryOf(getUsersPlan, {})).data;
  // A client who has left the list stays in the dialog, with what is typed.
  const client = list.query.data?.users.find(({ id }) => id === managed?.id) ?? managed;
  const canGive = list.query.data?.can_give ?? null;
  return (
    <>
      <ListSection
        title={texts.yourClients}
        hasHiddenTitle
        query={list.query}
        tools={
          <>
            <div className="search-line">
              <SearchField label={texts.search} placeholder={texts.searchHint} {...list.search} />
              <ChoiceField
                label={texts.sortBy}
                value={sort}
                onChange={({ target }) =>
                  show({ sort: oneOf(clientOrders, 'newest')(target.value), start: 0 })
                }
                choices={Object.entries(texts.clientOrders)}
              />
              <Button onClick={() => setAdding(true)}>{texts.addClient}</Button>
            </div>
            <div>
              <Segments
                label={texts.whichClients}
                choices={texts.clientFilters}
                chosen={filter ?? 'all'}
                onChoose={(chosen) => show({ filter: chosen === 'all' ? null : chosen, start: 0 })}
              />
            </div>
          </>
        }
      >
        {({ users, total, searched }) => (
          <>
            {total > 0 ? (
              <>
                <ClientTable clients={users} plans={plans} onActAs={actAs} onManage={setManaged} />
                <Paging {...list.page} shown={users.length} total={total} isCapped />
              </>
            ) : list.isSearched || filter ? (
              <NothingFound
                text={nothingFor(list.search.value, filter)}
                all={texts.showAll}
                onAll={() => show({ search: '', filter: null })}
              />
            ) : (
              <p>{texts.noClients}</p>
            )}
            <SearchedPeople searched={searched} />
          </>
        )}
      </ListSection>
      {isAdding && <AddClient canGive={canGive} onClose={() => setAdding(false)} />}
      {client && (
        <ClientDialog client={client} canGive={canGive} onClose={() => setManaged(null)} />
      )}
    </>
  );
}

function nothingFor(search: string, filter: ClientFilter | null): string {
  if (search && filter) return texts.noneOfTheseMatch(search, texts.clientFilters[filter]);
  if (search) return texts.noMatchFor(search);
  return texts.noneOfThese;
}

function useActAs(): (client: ClientSummary) => void {
  const navigate = useNavigate();
  return (client) => {
    actAsClient(client);
    void navigate(paths.dashboard);
  };
}
