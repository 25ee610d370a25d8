import { useEffect, useRef } from 'react';

/** For a bar that scrolls sideways on a narrow screen: brings its current entry into sight. */
export function useCurrentInSight<Bar extends HTMLElement>(current: string | undefined) {
  const bar = useRef<Bar>(null);
  useEffect(() => {
    const entry = current && bar.current?.querySelector(':is([aria-current], :has(> :checked))');
    if (!bar.current || !entry) return;
    const [outer, inner] = [bar.current.getBoundingClientRect(), entry.getBoundingClientRect()];
    bar.current.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }, [current]);
  return bar;
}
