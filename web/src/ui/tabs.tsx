import { Link, type To } from 'react-router';
import { useCurrentInSight } from '../lib/hooks/use-current-in-sight.ts';
import styles from './tabs.module.css';

interface Props {
  label: string;
  tabs: readonly { to: To; label: string; isCurrent?: boolean }[];
  /** Shares the width of the page between the tabs. */
  isWide?: boolean;
}

/** Links to the views of one page. On a narrow screen they scroll to the current one. */
export function Tabs({ label, tabs, isWide = false }: Props) {
  const bar = useCurrentInSight<HTMLElement>(tabs.find((tab) => tab.isCurrent)?.label);
  return (
    <nav
      ref={bar}
      className={`scrolls ${styles.tabs} ${isWide ? styles.wide : ''}`}
      aria-label={label}
    >
      {tabs.map((tab) => (
        <Link key={tab.label} to={tab.to} aria-current={tab.isCurrent ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
