import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/identity.ts';

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
    <div className="entrance">
      <div className="stack-wide">
        <h1>{title}</h1>
        <nav className="tabs" aria-label={texts.signInOrRegister}>
          {(['login', 'register'] as const).map((name) => (
            <Link key={name} to={paths[name]} aria-current={name === tab ? 'page' : undefined}>
              {tabs[name]}
            </Link>
          ))}
        </nav>
        {children}
      </div>
      <Offer />
    </div>
  );
}

function Offer() {
  return (
    <section className="promise" aria-labelledby="promise">
      <h2 id="promise">{texts.offer}</h2>
      <div className="promise-sheet" aria-hidden="true">
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
