import { useState } from 'react';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { settings } from '../../lib/settings.ts';
import * as texts from '../../texts/site.ts';
import { TextField } from '../../ui/form/text-field.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import styles from './help-page.module.css';
import { searchAnswers } from './search-answers.ts';

export function HelpPage() {
  useTitle(texts.help);
  const [search, setSearch] = useState('');
  const { email, phone } = settings().operator;
  const found = searchAnswers(texts.helpAnswers, search);
  return (
    <div className="prose">
      <h1>{texts.help}</h1>
      <search>
        <TextField
          label={texts.searchAnswers}
          name="search"
          type="search"
          onChange={(event) => setSearch(event.target.value)}
        />
      </search>
      <p className="muted" role="status">
        {howMany(found.length, search.trim())}
      </p>
      {found.map(([question, answer]) => (
        <details
          key={question}
          className={`card ${styles.answer}`}
          open={isNarrowed(found.length) || undefined}
        >
          <summary>
            <h2>{question}</h2>
          </summary>
          <p>{answer}</p>
        </details>
      ))}
      <p>
        <RichText
          text={texts.nothingFits}
          parts={{
            email: <a href={`mailto:${email}`}>{email}</a>,
            phone: <a href={`tel:${phone.replace(/\s/g, '')}`}>{phone}</a>,
          }}
        />
      </p>
    </div>
  );
}

/** Few results show their answers; many show as a list. */
function isNarrowed(found: number): boolean {
  return found <= 5;
}

function howMany(found: number, search: string): string {
  if (search === '') return texts.answers(found);
  if (found === 0) return texts.nothingFound(search);
  return texts.found(found);
}
