import { ShoppingCart } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { BalanceDisplay } from '../../entities/credits/balance-display.tsx';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { paths } from '../../lib/paths.ts';
import { showsCredits, useIdentity, useSubjectId } from '../../lib/session.ts';
import { useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/app.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { titleOf } from '../pages.ts';
import { ActingSwitch } from './acting-switch.tsx';
import styles from './header.module.css';
import { NotificationList } from './notification-list.tsx';
import { iconOf } from './page-icons.ts';

export function Header({ onOpenMenu }: { onOpenMenu: () => void }) {
  const { pathname } = useLocation();
  const title = titleOf(pathname);
  const Icon = iconOf(pathname);
  const identity = useIdentity();
  const subjectId = useSubjectId();
  useTitle(title);
  return (
    <header className={styles.header}>
      <span className={styles.opener}>
        <Button variant="ghost" onClick={onOpenMenu}>
          {texts.menu}
        </Button>
      </span>
      <h1>
        <Icon aria-hidden size={22} />
        {title}
      </h1>
      <span className={styles.below}>
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
    </header>
  );
}

/** Counts the lines of the cart, as the checkout lists them, and leads there when there is one. */
function CartBadge() {
  const items = useStored('currentSale')?.items.length ?? 0;
  const label = texts.cart(items);
  const content = (
    <>
      <ShoppingCart aria-hidden size={20} />
      <span className="badge">{items}</span>
    </>
  );
  if (items === 0) {
    return (
      <span className={styles.cart} role="img" aria-label={label}>
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
