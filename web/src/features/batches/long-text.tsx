import { ScrollRegion } from '../../ui/scroll-region.tsx';
import styles from './long-text.module.css';

/** A text of any length, shown as it is in a box that scrolls. */
export function LongText({ label, text }: { label: string; text: string }) {
  return (
    <ScrollRegion className={styles.text} label={label}>
      {text}
    </ScrollRegion>
  );
}
