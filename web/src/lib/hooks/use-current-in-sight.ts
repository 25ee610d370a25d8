import { useEffect, useRef } from 'react';

/** For a bar that scrolls sideways: keeps its current entry in sight, also in a narrower window. */
export function useCurrentInSight<Bar extends HTMLElement>(current: string | undefined) {
  const bar = useRef<Bar>(null);
  useEffect(() => {
    const element = bar.current;
    if (!element || !current) return;
    // It reports the first width at once.
    const observer = new ResizeObserver(() => showCurrent(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [current]);
  return bar;
}

function showCurrent(bar: HTMLElement): void {
  const entry = bar.querySelector(':is([aria-current], :has(> :checked))');
  if (!entry) return;
  const [outer, inner] = [bar.getBoundingClientRect(), entry.getBoundingClientRect()];
  bar.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
}
