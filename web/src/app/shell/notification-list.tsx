import { type AnswerOf, getNotifications, readNotifications } from '@rowmill/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Bell, BellRing } from 'lucide-react';
import { type MouseEvent, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { actAsAdmin } from '../../lib/acting.ts';
import { call } from '../../lib/api/api-client.ts';
import { queryOf, setQueryData } from '../../lib/api/query.ts';
import { formatTime } from '../../lib/format.ts';
import * as texts from '../../texts/shell.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import styles from './notification-list.module.css';

type News = AnswerOf<typeof getNotifications>;

const pollMilliseconds = 60_000;

/** The last events of the account. Opening the list or the page of one marks them as read. */
export function NotificationList() {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...queryOf(getNotifications, {}), refetchInterval: pollMilliseconds });
  const read = useMutation({
    mutationFn: (batch_id?: string) => call(readNotifications, batch_id ? { batch_id } : {}),
    onSuccess: (news) => setQueryData<typeof getNotifications>(getNotifications, {}, () => news),
    // The next fetch tries again.
    onError: () => {},
  });
  useReadOnItsPage(query.data, read.mutate);
  const unread = query.data?.unread ?? 0;
  function open() {
    setOpen(true);
    if (unread > 0) read.mutate(undefined);
  }
  /**
   * The news and their pages are the admin's own, also while they act for a client. A click that
   * opens another tab changes nothing in this one.
   */
  function go({ ctrlKey, metaKey, shiftKey }: MouseEvent) {
    if (ctrlKey || metaKey || shiftKey) return;
    setOpen(false);
    actAsAdmin();
  }
  return (
    <>
      <span className={styles.bell}>
        <Button variant="ghost" aria-label={texts.notificationsOf(unread)} onClick={open}>
          {unread > 0 ? <BellRing aria-hidden size={20} /> : <Bell aria-hidden size={20} />}
        </Button>
        {unread > 0 && <span className={`icon-count ${styles.count}`}>{unread}</span>}
      </span>
      {isOpen && (
        <Dialog title={texts.notifications} onClose={() => setOpen(false)}>
          <Loading query={query}>
            {({ notifications }) => <NewsList news={notifications} onGo={go} />}
          </Loading>
          <div>
            <Button variant="secondary" onClick={() => setOpen(false)}>
              {texts.close}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function NewsList({
  news,
  onGo,
}: {
  news: News['notifications'];
  onGo: (event: MouseEvent) => void;
}) {
  if (news.length === 0) return <p className="muted">{texts.noMessages}</p>;
  return (
    <ul className={`plain ${styles.list}`}>
      {news.map(({ id, text, path, created_at }) => (
        <li key={id}>
          <Link to={path} onClick={onGo}>
            <span>{text}</span>
            <time className="muted" dateTime={created_at}>
              {formatTime(created_at)}
            </time>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A person who watched a batch end needs no email about it. */
function useReadOnItsPage(news: News | undefined, read: (batchId: string) => void): void {
  const { pathname } = useLocation();
  const isHere = news?.notifications.some(({ is_read, path }) => !is_read && path === pathname);
  useEffect(() => {
    const batchId = pathname.split('/').at(-1);
    if (isHere && batchId && document.visibilityState === 'visible') read(batchId);
  }, [isHere, pathname, read]);
}
