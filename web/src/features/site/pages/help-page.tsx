import { useState } from 'react';
import { settings } from '../../../lib/settings.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { helpAnswers } from '../help-answers.ts';

export function HelpPage() {
  useTitle('Help');
  const [search, setSearch] = useState('');
  const { email, phone } = settings().operator;
  const found = helpAnswers.filter((texts) => texts.join(' ').toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <div className="prose">
      <h1>Help</h1>
      <TextField label="Search the answers" name="search" type="search" onChange={(event) => setSearch(event.target.value)} />
      <div className="stack" aria-live="polite">
        {found.map(([question, answer]) => (
          <section key={question} className="card">
            <h2>{question}</h2>
            <p>{answer}</p>
          </section>
        ))}
        {found.length === 0 && <p>No answer holds these words.</p>}
      </div>
      <p>
        Nothing fits? Write to <a href={`mailto:${email}`}>{email}</a> or call {phone}.
      </p>
    </div>
  );
}
