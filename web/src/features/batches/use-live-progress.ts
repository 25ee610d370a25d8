import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { followProgress } from '../../lib/progress-stream.ts';
import { useStored } from '../../lib/storage.ts';
import { gatherEvents } from './gather-events.ts';
import { applyEvent, askAgain, startOver } from './live-cache.ts';

/** Follows the server's stream while somebody is signed in, for him or for the client he acts as. Mounted once, in the layout. */
export function useLiveProgress(): void {
  const client = useQueryClient();
  const token = useStored('userToken');
  const subject = useStored('switchedAs')?.user_id ?? null;
  const lastSubject = useRef(subject);
  useEffect(() => {
    if (!token) return;
    if (lastSubject.current !== subject) startOver(client);
    lastSubject.current = subject;
    const end = new AbortController();
    const write = gatherEvents((event) => {
      if (!end.signal.aborted) applyEvent(client, event);
    });
    void followProgress(write, end.signal);
    return () => end.abort();
  }, [client, token, subject]);
  useEffect(() => {
    const look = () => askAgain(client);
    window.addEventListener('online', look);
    return () => window.removeEventListener('online', look);
  }, [client]);
}
