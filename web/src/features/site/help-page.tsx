import { useState } from 'react';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { settings } from '../../lib/settings.ts';
import * as texts from '../../texts/site.ts';
import { TextField } from '../../ui/form/text-field.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import styles from './help-page.module.css';
import { anchorOf, searchAnswers } from './search-answers.ts';

export function HelpPage() {
  useTitle(texts.help);
  const [search, setSearch] = useState('');
  const { email, phone } = settings().operator;
  const topics = texts.helpTopics
    .map(({ title, answers }) => ({ title, answers: searchAnswers(answers, search) }))
    .filter(({ answers }) => answers.length > 0);
  const found = topics.reduce((sum, { answers }) => sum + answers.length, 0);
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
        {howMany(found, search.trim())}
      </p>
      {topics.map(({ title, answers }) => (
        <section key={title} className="stack">
          <h2>{title}</h2>
          <div className={styles.topic}>
            {answers.map(([question, answer]) => (
              <details key={question} id={anchorOf(question)} open={isOpen(found, question)}>
                <summary>
                  <h3>{question}</h3>
                </summary>
                <p>{answer}</p>
              </details>
            ))}
          </div>
        </section>
      ))}
      <p>
        <RichText
          text={phone ? texts.nothingFits : texts.nothingFitsNoPhone}
          parts={{
            email: <a href={`mailto:${email}`}>{email}</a>,
            phone: <a href={`tel:${phone.replace(/\s/g, '')}`}>{phone}</a>,
          }}
        />
      </p>
    </div>
  );
}

/** Few results show their answers; many show as a list. A link may name one answer. */
function isOpen(found: number, question: string): true | undefined {
  return found <= 5 || location.hash === `#${anchorOf(question)}` || undefined;
}

function howMany(found: number, search: string): string {
  if (search === '') return texts.answers(found);
  if (found === 0) return texts.nothingFound(search);
  return texts.found(found);
}
