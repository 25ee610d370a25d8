import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/dashboard.ts';
import { Button } from '../../ui/button.tsx';

const key = 'firstStepsClosed';

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
      <h2 id="first-title">{texts.tryIt}</h2>
      <ol>
        {texts.firstSteps.map(({ title, words }) => (
          <li key={title}>
            <strong>{title}</strong>
            <span className="soft">{words}</span>
          </li>
        ))}
      </ol>
      <div className="row">
        <Link to={`${paths.ask}?sample=1`} className="button primary">
          {texts.trySample}
        </Link>
        <Button variant="ghost" onClick={close}>
          {texts.notNow}
        </Button>
        <span className="soft">{texts.samplePrice}</span>
      </div>
    </section>
  );
}
