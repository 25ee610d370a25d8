import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/dashboard.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import styles from './first-steps.module.css';

const storageKey = 'firstStepsClosed';

/**
 * A short tour for people without batches. Closing it lasts as long as the tab. A person without a
 * plan has no submissions to run the sample with.
 */
export function FirstSteps({ needsPlan }: { needsPlan: boolean }) {
  const [isClosed, setClosed] = useState(() => sessionStorage.getItem(storageKey) !== null);
  if (isClosed) return null;
  function close() {
    sessionStorage.setItem(storageKey, 'yes');
    setClosed(true);
  }
  return (
    <section className={`card ${styles.card}`} aria-labelledby="first-steps-title">
      <h2 id="first-steps-title">{texts.tryInAMinute}</h2>
      <ol>
        {texts.firstSteps.map(({ title, text }) => (
          <li key={title}>
            <strong>{title}</strong>
            <span>{text}</span>
          </li>
        ))}
      </ol>
      <div className="row">
        {needsPlan ? (
          <ButtonLink to={paths.plans}>{texts.choosePlan}</ButtonLink>
        ) : (
          <ButtonLink to={`${paths.ask}?sample=1`}>{texts.trySample}</ButtonLink>
        )}
        <Button variant="ghost" onClick={close}>
          {texts.notNow}
        </Button>
        <span>{needsPlan ? texts.planFirst : texts.samplePrice}</span>
      </div>
    </section>
  );
}
