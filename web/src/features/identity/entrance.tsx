import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/identity.ts';
import { Tabs } from '../../ui/tabs.tsx';
import styles from './entrance.module.css';

const tabs = { login: texts.signIn, register: texts.register } as const;

interface Props {
  title: string;
  /** Two addresses show the sign-in form, so the page names its tab. */
  tab: keyof typeof tabs;
  children: ReactNode;
}

/** The entrance: the form, and beside it the offer. */
export function Entrance({ title, tab, children }: Props) {
  return (
    <div className={styles.entrance}>
      <div className="stack-wide">
        <h1>{title}</h1>
        <Tabs
          label={texts.signInOrRegister}
          isWide
          tabs={(['login', 'register'] as const).map((name) => ({
            to: paths[name],
            label: tabs[name],
            isCurrent: name === tab,
          }))}
        />
        {children}
      </div>
      <Offer />
    </div>
  );
}

function Offer() {
  return (
    <section className={styles.offer} aria-labelledby="offer">
      <h2 id="offer">{texts.offer}</h2>
      <div className={styles.example} aria-hidden="true">
        <p>{texts.offerQuestion}</p>
        <dl>
          {texts.offerAnswers.map(({ name, answer }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{answer}</dd>
            </div>
          ))}
        </dl>
      </div>
      <ul>
        <li>{texts.costSeen}</li>
        <li>{texts.chargedOnce}</li>
        <li>{texts.runsOnServer}</li>
      </ul>
    </section>
  );
}
