import { CircleQuestionMark, type LucideIcon, Menu, ShoppingCart } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { BalanceDisplay } from '../../entities/credits/balance-display.tsx';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { paths } from '../../lib/paths.ts';
import { showsCredits, useIdentity, useSubjectId } from '../../lib/session.ts';
import { useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/shell.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { listOf, titleOf } from '../pages.ts';
import { ActingSwitch } from './acting-switch.tsx';
import styles from './header.module.css';
import { NotificationList } from './notification-list.tsx';
import { iconOf } from './page-icons.ts';

export function Header({ onOpenMenu }: { onOpenMenu: () => void }) {
  const { pathname } = useLocation();
  const title = titleOf(pathname);
  const identity = useIdentity();
  const subjectId = useSubjectId();
  useTitle(title);
  return (
    <header className={styles.header}>
      <span className={styles.opener}>
        <Button variant="ghost" aria-label={texts.menu} onClick={onOpenMenu}>
          <Menu aria-hidden size={20} />
        </Button>
      </span>
      <PageTitle title={title} list={listOf(pathname)} icon={iconOf(pathname)} />
      <span className={styles.wide}>
        <ActingSwitch />
      </span>
      {subjectId && showsCredits(identity) && (
        <span className={styles.balance}>
          <BalanceDisplay userId={subjectId} />
        </span>
      )}
      <span className={styles.buy}>
        <ButtonLink to={paths.credits} variant="secondary">
          {texts.buyCredits}
        </ButtonLink>
      </span>
      <CartBadge />
      <NotificationList />
      <a className={`${styles.cart} ${styles.help}`} href={paths.help} aria-label={texts.help}>
        <CircleQuestionMark aria-hidden size={20} />
      </a>
    </header>
  );
}

interface TitleProps {
  title: string;
  /** The list that the page's item belongs to. The page then has its own heading. */
  list: string | null;
  icon: LucideIcon;
}

function PageTitle({ title, list, icon: Icon }: TitleProps) {
  const content = (
    <>
      <Icon aria-hidden size={20} />
      <Title text={title} />
    </>
  );
  if (!list) return <h1 className={styles.title}>{content}</h1>;
  return (
    <nav className={styles.title} aria-label={texts.breadcrumb}>
      <Link to={list}>{content}</Link>
    </nav>
  );
}

/** A narrow screen has no room for the part in brackets, but a screen reader reads it. */
function Title({ text }: { text: string }) {
  const [, start, rest] = /^(.*?)( \(.*\))?$/.exec(text) ?? [];
  return (
    <span>
      {start}
      {rest && <span className={styles.extra}>{rest}</span>}
    </span>
  );
}

/** Counts the lines of the cart, as the checkout lists them, and leads there when there is one. */
function CartBadge() {
  const items = useStored('currentSale')?.items.length ?? 0;
  const label = texts.cart(items);
  const content = (
    <>
      <ShoppingCart aria-hidden size={20} />
      <span className={`icon-count ${styles.count}`}>{items}</span>
    </>
  );
  if (items === 0) {
    return (
      <span className={`${styles.cart} ${styles.empty}`} role="img" aria-label={label}>
        {content}
      </span>
    );
  }
  return (
    <Link to={paths.checkout} className={styles.cart} aria-label={label}>
      {content}
    </Link>
  );
}
