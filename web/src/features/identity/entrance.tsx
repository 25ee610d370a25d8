import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/identity.ts';
import { Tabs } from '../../ui/tabs.tsx';
import styles from './entrance.module.css';
import { Offer, Prices, Promises } from './offer.tsx';

const tabs = { login: texts.signIn, register: texts.register } as const;

interface Props {
  title: string;
  /** Two addresses show the sign-in form, so the page names its tab. */
  tab: keyof typeof tabs;
  children: ReactNode;
}

/** The offer, then the form. On a phone, the addresses of the forms show the form first. */
export function Entrance({ title, tab, children }: Props) {
  const isForm = useLocation().pathname !== paths.auth;
  return (
    <div className={`${styles.entrance} ${isForm ? styles.formFirst : ''}`}>
      <Offer />
      <div className={`stack ${styles.form}`}>
        <section className="card">
          <h2 className="sr-only">{title}</h2>
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
          <Prices isNew={tab === 'register'} />
        </section>
      </div>
      <Promises />
    </div>
  );
}
