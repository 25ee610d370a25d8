import type { Batch } from '@rowmill/contract';
import { Link } from 'react-router';
import { batchPath } from '../../lib/paths.ts';
import styles from './batch-link.module.css';

/** Shorter names have room everywhere. */
const longName = 16;
/** The last characters of a long name that stay in sight: often only they tell batches apart. */
const endLength = 12;

/** The name of a batch leads to it. Where it is too long, its middle is left out. */
export function BatchLink({ batch: { id, name } }: { batch: Pick<Batch, 'id' | 'name'> }) {
  const start = [...name];
  const half = Math.floor(start.length / 2);
  const end = start.length > longName ? start.splice(-Math.min(endLength, half)) : [];
  return (
    <Link to={batchPath(id)} title={name} aria-label={name} className={styles.link}>
      <span className="cut">{start.join('')}</span>
      {end.length > 0 && <span className={styles.end}>{end.join('')}</span>}
    </Link>
  );
}
