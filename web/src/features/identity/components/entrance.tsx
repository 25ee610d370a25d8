import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';

const tabs = { login: 'Sign in', register: 'Register' } as const;

interface Props {
  title: string;
  /** The page says which tab it is, for the sign-in form has two addresses. */
  tab: keyof typeof tabs;
  children: ReactNode;
}

/** The first thing that anybody sees: the form, and beside it what the product does. */
export function Entrance({ title, tab, children }: Props) {
  return (
    <div className="entrance">
      <div className="stack-wide">
        <h1>{title}</h1>
        <nav className="tabs" aria-label="Sign in or register">
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

const answers = [
  ['Arran teapot', 'Stoneware that keeps the second cup warm.'],
  ['Brass desk lamp', 'A small sun for late chapters.'],
  ['Wool blanket', 'Forty winks, guaranteed by lambs.'],
] as const;

function Offer() {
  return (
    <section className="promise" aria-labelledby="promise">
      <h2 id="promise">One question. Every row of your spreadsheet. Answered.</h2>
      <div className="promise-sheet" aria-hidden="true">
        <p>Describe {'{{Name}}'} in one sentence.</p>
        <dl>
          {answers.map(([name, answer]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{answer}</dd>
            </div>
          ))}
        </dl>
      </div>
      <ul>
        <li>You see what it costs before it starts.</li>
        <li>A row is charged once, and only when it is answered.</li>
        <li>It runs on the server: close the page, and come back to the results.</li>
      </ul>
    </section>
  );
}
