import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';

const key = 'firstStepsClosed';

const steps = [
  ['Sheet', 'A sample of 12 products is loaded.'],
  ['Question', 'One question, with each product’s name filled in.'],
  ['Start', 'Watch the rows being answered.'],
  ['Download', 'Your sheet, with the answers in a new column.'],
] as const;

/** The whole product in a minute, for somebody who has no batch yet. Put away for as long as the tab is open. */
export function FirstSteps() {
  const [isClosed, setClosed] = useState(() => sessionStorage.getItem(key) !== null);
  if (isClosed) return null;
  function close() {
    sessionStorage.setItem(key, 'yes');
    setClosed(true);
  }
  return (
    <section className="card first-steps" aria-labelledby="first-title">
      <h2 id="first-title">Try it in a minute</h2>
      <ol>
        {steps.map(([title, words]) => (
          <li key={title}>
            <strong>{title}</strong>
            <span className="soft">{words}</span>
          </li>
        ))}
      </ol>
      <div className="row">
        <Link to={`${paths.ask}?sample=1`} className="button primary">
          Try the sample
        </Link>
        <Button variant="ghost" onClick={close}>
          Not now
        </Button>
        <span className="soft">It uses 12 submissions.</span>
      </div>
    </section>
  );
}
