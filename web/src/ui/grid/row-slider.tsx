import { type PointerEvent, type RefObject, useState } from 'react';
import { formatNumber } from '../../lib/format.ts';
import styles from './row-slider.module.css';

interface Props {
  scroller: RefObject<HTMLElement | null>;
  /** The rows in view. */
  first: number;
  last: number;
  total: number;
}

/** Fewer rows are soon swiped through. */
const manyScreens = 20;

/** The scroll bar for fingers, which cannot drag the browser's. Shows the row while held. */
export function RowSlider({ scroller, first, last, total }: Props) {
  /** Where on the slider the finger is, in pixels; null while it is not held. */
  const [held, setHeld] = useState<number | null>(null);
  const shown = last - first + 1;
  if (total < manyScreens * shown) return null;
  const percent = (100 * first) / (total - shown);
  function onPointerDown(event: PointerEvent<HTMLElement>) {
    event.currentTarget.setPointerCapture(event.pointerId);
    setHeld(event.clientY - event.currentTarget.getBoundingClientRect().top);
  }
  function onPointerMove({ clientY, currentTarget }: PointerEvent<HTMLElement>) {
    const track = currentTarget.parentElement?.getBoundingClientRect();
    if (held === null || !track || !scroller.current) return;
    const { scrollHeight, clientHeight } = scroller.current;
    const share = (clientY - held - track.top) / (track.height - currentTarget.offsetHeight);
    scroller.current.scrollTop = share * (scrollHeight - clientHeight);
  }
  return (
    <div className={styles.track} aria-hidden>
      <span
        className={styles.slider}
        data-held={held !== null || undefined}
        style={{ top: `${percent}%`, translate: `0 ${-percent}%` }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onLostPointerCapture={() => setHeld(null)}
      >
        {held !== null && <span className={styles.row}>{formatNumber(first + 1)}</span>}
      </span>
    </div>
  );
}
