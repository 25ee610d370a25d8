import styles from './cut-name.module.css';
import { partsOf } from './name-parts.ts';

/** A name without its middle where it is too long. A screen reader reads all of it. */
export function CutName({ name }: { name: string }) {
  const { dir, start, end } = partsOf(name);
  return (
    <span className={styles.name} title={name} dir={dir}>
      {end && <span className="sr-only">{name}</span>}
      <span className="cut" aria-hidden={end !== '' || undefined}>
        {start}
      </span>
      {end && (
        <span className={styles.end} aria-hidden>
          {end}
        </span>
      )}
    </span>
  );
}
