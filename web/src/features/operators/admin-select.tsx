import { getPeople, nameOf, type PersonSummary, roles } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOf } from '../../lib/api/query.ts';
import { formatTotal } from '../../lib/format.ts';
import * as texts from '../../texts/operators.ts';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Loading } from '../../ui/loading.tsx';

/** Choices to show; search finds the rest. */
const limit = 20;

interface Choice {
  id: string;
  words: string;
}

const noManager: Choice = { id: '', words: texts.noManager };

/** Manager of a client. The server searches the admins. */
export function AdminSelect({ present }: { present: PersonSummary['admin'] }) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Choice>(
    present ? { id: present.id, words: present.name } : noManager,
  );
  const query = useQuery({
    ...queryOf(getPeople, { role_id: roles.admin, search, limit }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <SearchField
        label={texts.findAdmin}
        placeholder={texts.peopleHint}
        value={search}
        onSearch={setSearch}
      />
      <Loading query={query}>
        {({ people, total }) => {
          const choices = choicesOf(people, chosen);
          return (
            <ChoiceField
              label={texts.managedBy}
              name="admin"
              value={chosen.id}
              choices={choices.map((choice) => [choice.id, choice.words] as const)}
              onChange={({ target }) =>
                setChosen(choices.find((choice) => choice.id === target.value) ?? noManager)
              }
              hint={describeMatches(people.length, total)}
              noteRole="status"
            />
          );
        }}
      </Loading>
    </>
  );
}

/** The current choice stays listed during a search. */
function choicesOf(people: readonly PersonSummary[], chosen: Choice): Choice[] {
  const found = people.map((person) => ({
    id: person.id,
    words: texts.withEmail({ name: nameOf(person), email: person.email }),
  }));
  const isListed = chosen.id === '' || found.some(({ id }) => id === chosen.id);
  return [noManager, ...(isListed ? [] : [chosen]), ...found];
}

function describeMatches(shown: number, total: number): string {
  if (total === 0) return texts.noAdminMatches;
  return total > shown ? texts.someAdmins({ shown, total: formatTotal(total) }) : '';
}
