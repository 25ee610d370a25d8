import { useEffect, useRef } from 'react';
import type { NavigateOptions } from 'react-router';
import { formatRange } from '../../lib/format.ts';
import * as texts from '../../texts/ui.ts';
import { Button } from '../button.tsx';

export interface PagingProps {
  start: number;
  shown: number;
  total: number;
  limit: number;
  /** The server stops counting at some total. */
  isCapped?: boolean;
  onGo: (start: number, options?: NavigateOptions) => void;
}

/**
 * Says which part of a list is shown and leads to the other pages, which begin at their top. A page
 * beyond the end, such as after all of its entries were deleted, gives way to the last one.
 */
export function Paging({ start, shown, total, limit, isCapped, onGo }: PagingProps) {
  const before = Math.max(0, start - limit);
  const after = start + limit;
  const nav = useRef<HTMLElement>(null);
  const target = useRef<number>(null);
  // Only now, so that Back returns to the place where the other page was left.
  useEffect(() => {
    if (target.current !== start) return;
    target.current = null;
    const list = nav.current?.closest('section');
    if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView();
  }, [start]);
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  useEffect(() => {
    if (shown === 0 && start > last) onGo(last, { replace: true });
  }, [shown, start, last, onGo]);
  function go(to: number) {
    target.current = to;
    onGo(to);
  }
  return (
    <nav ref={nav} className="spread" aria-label={texts.pages}>
      <span role="status" className={total === 0 ? 'sr-only' : undefined}>
        {formatRange({ start, limit, shown, total, isCapped })}
      </span>
      {(start > 0 || after < total) && (
        <span className="row">
          <Button variant="secondary" aria-disabled={start === 0} onClick={() => go(before)}>
            {texts.previous}
          </Button>
          <Button variant="secondary" aria-disabled={after >= total} onClick={() => go(after)}>
            {texts.next}
          </Button>
        </span>
      )}
    </nav>
  );
}
