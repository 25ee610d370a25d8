import { Link, type To } from 'react-router';
import styles from './tabs.module.css';

interface Props {
  label: string;
  tabs: readonly { to: To; label: string; isCurrent?: boolean }[];
  /** Shares the width of the page between the tabs. */
  isWide?: boolean;
}

/** Links to the views of one page. */
export function Tabs({ label, tabs, isWide = false }: Props) {
  return (
    <nav className={isWide ? `${styles.tabs} ${styles.wide}` : styles.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.label} to={tab.to} aria-current={tab.isCurrent ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
