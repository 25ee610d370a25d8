import { type User, userList } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actAsClient } from '../../../lib/acting.ts';
import { call } from '../../../lib/api-client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { SearchField } from '../../../ui/search-field.tsx';

interface Props {
  user: User;
  onChosen: () => void;
  onClose: () => void;
}

const shown = 20;

/** As whom to act: as oneself, who also has submissions and batches, or as one of the clients. */
export function ClientChooser({ user, onChosen, onClose }: Props) {
  const [search, setSearch] = useState('');
  const query = useQuery({
    queryKey: ['clients', 'choice', search],
    queryFn: () => call(userList, { search, limit: shown }),
    placeholderData: keepPreviousData,
  });
  function choose(person: Parameters<typeof actAsClient>[0]) {
    onClose();
    actAsClient(person);
    onChosen();
  }
  return (
    <Dialog title="Act as" onClose={onClose}>
      <SearchField label="Search" hint="By name or e-mail." value={search} onSearch={setSearch} />
      <ul className="plain stack client-choice">
        <li>
          <Choice name="Myself" note="My own submissions and batches" onChoose={() => choose(user)} />
        </li>
        <Loading query={query}>
          {({ users, total }) => (
            <>
              {users.map((client) => (
                <li key={client.id}>
                  <Choice name={`${client.first_name} ${client.last_name}`} note={client.email} onChoose={() => choose(client)} />
                </li>
              ))}
              {total === 0 && <li role="status">{search ? `Nobody matches “${search}”.` : 'You have no clients yet.'}</li>}
              {total > shown && <li className="soft">Search to find the others.</li>}
            </>
          )}
        </Loading>
      </ul>
      <div>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}

function Choice({ name, note, onChoose }: { name: string; note: string; onChoose: () => void }) {
  return (
    <button type="button" onClick={onChoose}>
      <strong>{name}</strong>
      <span className="soft long">{note}</span>
    </button>
  );
}
