import styles from './cut-name.module.css';

/** Shorter names have room everywhere. */
const longName = 16;
/** The last characters of a long name that stay in sight: often only they tell names apart. */
const endLength = 12;
const rightToLeft =
  /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name without its middle where it is too long. A screen reader reads all of it. */
export function CutName({ name }: { name: string }) {
  const start = lettersOf(name);
  const half = Math.floor(start.length / 2);
  const end = start.length > longName ? start.splice(-Math.min(endLength, half)) : [];
  if (end.length === 0) return <span className="cut">{name}</span>;
  // A name in both directions is in order if both parts have the direction of where it is cut.
  const dir = rightToLeft.test(end.join('')) ? 'rtl' : 'ltr';
  return (
    <span className={styles.name} title={name} dir={dir}>
      <span className="sr-only">{name}</span>
      <span className="cut" aria-hidden>
        {start.join('')}
      </span>
      <span className={styles.end} aria-hidden>
        {end.join('')}
      </span>
    </span>
  );
}

/** As people see them: an emoji of several characters is not cut in two. */
function lettersOf(name: string): string[] {
  return [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
}
