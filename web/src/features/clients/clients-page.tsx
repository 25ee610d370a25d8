import { type ClientSummary, getUsersPlan, userList } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { SearchedPeople } from '../../entities/searched-people.tsx';
import { actAsClient } from '../../lib/acting.ts';
import { queryOf } from '../../lib/api/query.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { ListSection, NothingFound } from '../../ui/list/list-section.tsx';
import { Paging } from '../../ui/list/paging.tsx';
import { useList } from '../../ui/list/use-list.ts';
import { AddClient } from './add-client.tsx';
import { ClientDialog } from './client-dialog.tsx';
import { ClientTable } from './client-table.tsx';

export function ClientsPage() {
  const [managed, setManaged] = useState<ClientSummary | null>(null);
  const [isAdding, setAdding] = useState(false);
  const actAs = useActAs();
  const list = useList((page) => queryOf(userList, page));
  const plans = useQuery({ ...queryOf(getUsersPlan, {}), select: ({ plans }) => plans }).data;
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
          <div className="search-line">
            <SearchField label={texts.search} placeholder={texts.searchHint} {...list.search} />
            <Button onClick={() => setAdding(true)}>{texts.addClient}</Button>
          </div>
        }
      >
        {({ users, total, searched }) => (
          <>
            {users.length > 0 ? (
              <>
                <ClientTable clients={users} plans={plans} onActAs={actAs} onManage={setManaged} />
                <Paging {...list.page} shown={users.length} total={total} isCapped />
              </>
            ) : list.isFiltered ? (
              <NothingFound
                text={list.search.value ? texts.noMatchFor(list.search.value) : texts.emptyPage}
                all={texts.showAll}
                onAll={list.showAll}
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

function useActAs(): (client: ClientSummary) => void {
  const navigate = useNavigate();
  return (client) => {
    actAsClient(client);
    void navigate(paths.dashboard);
  };
}
