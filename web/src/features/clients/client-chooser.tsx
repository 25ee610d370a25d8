import { nameOf, type User, userList } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actAsClient } from '../../lib/acting.ts';
import { queryOf } from '../../lib/api/query.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { OptionButton } from '../../ui/option-button.tsx';

interface Props {
  user: User;
  onChosen: () => void;
  onClose: () => void;
}

const shown = 20;

/** Choose who to act for: yourself or one of your clients. */
export function ClientChooser({ user, onChosen, onClose }: Props) {
  const [search, setSearch] = useState('');
  const query = useQuery({
    ...queryOf(userList, { search, limit: shown }),
    placeholderData: keepPreviousData,
  });
  function choose(person: Parameters<typeof actAsClient>[0]) {
    onClose();
    actAsClient(person);
    onChosen();
  }
  return (
    <Dialog title={texts.actAs} onClose={onClose}>
      <SearchField
        label={texts.search}
        placeholder={texts.searchHint}
        value={search}
        onSearch={setSearch}
      />
      <ul className="plain stack">
        <li>
          <Choice name={texts.myself} note={texts.myOwn} onChoose={() => choose(user)} />
        </li>
        <Loading query={query}>
          {({ users, total }) => (
            <>
              {users.map((client) => (
                <li key={client.id}>
                  <Choice
                    name={nameOf(client)}
                    note={client.email}
                    onChoose={() => choose(client)}
                  />
                </li>
              ))}
              {total === 0 && (
                <li role="status">{search ? texts.noMatchFor(search) : texts.noClientsYet}</li>
              )}
              {total > shown && <li className="muted">{texts.searchForOthers}</li>}
            </>
          )}
        </Loading>
      </ul>
      <div>
        <Button variant="secondary" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}

function Choice({ name, note, onChoose }: { name: string; note: string; onChoose: () => void }) {
  return (
    <OptionButton onPick={onChoose}>
      <strong>{name}</strong>
      <span className="muted long">{note}</span>
    </OptionButton>
  );
}
