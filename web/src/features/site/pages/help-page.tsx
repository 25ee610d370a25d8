import { useState } from 'react';
import { settings } from '../../../lib/settings.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { helpAnswers } from '../help-answers.ts';
import { searchAnswers } from '../search-answers.ts';

export function HelpPage() {
  useTitle('Help');
  const [search, setSearch] = useState('');
  const { email, phone } = settings().operator;
  const found = searchAnswers(helpAnswers, search);
  return (
    <div className="prose">
      <h1>Help</h1>
      <search>
        <TextField label="Search the answers" name="search" type="search" onChange={(event) => setSearch(event.target.value)} />
      </search>
      <p className="soft" role="status">
        {howMany(found.length, search.trim())}
      </p>
      {found.map(([question, answer]) => (
        <details key={question} className="card answer" open={isNarrowed(found.length) || undefined}>
          <summary>
            <h2>{question}</h2>
          </summary>
          <p>{answer}</p>
        </details>
      ))}
      <p>
        Nothing fits? Write to <a href={`mailto:${email}`}>{email}</a> or call{' '}
        <a href={`tel:${phone.replace(/\s/g, '')}`}>{phone}</a>.
      </p>
    </div>
  );
}

/** Few are shown with their answers at once; many are a list of questions. */
function isNarrowed(found: number): boolean {
  return found <= 5;
}

function howMany(found: number, search: string): string {
  if (search === '') return `${found} answers.`;
  if (found === 0) return `Nothing found: no answer holds all the words of “${search}”. Fewer words find more.`;
  return found === 1 ? '1 answer holds these words.' : `${found} answers hold these words.`;
}
