import type { Batch } from '@rowmill/contract';
import { Link } from 'react-router';
import { batchPath } from '../../lib/paths.ts';
import styles from './batch-link.module.css';

/** Of a long name, as many characters at its end stay in sight: often only they tell batches apart. */
const endLength = 12;

/** The name of a batch leads to it. Where it is too long, its middle is left out. */
export function BatchLink({ batch: { id, name } }: { batch: Pick<Batch, 'id' | 'name'> }) {
  const start = [...name];
  const end = start.length > 2 * endLength ? start.splice(-endLength) : [];
  return (
    <Link to={batchPath(id)} title={name} aria-label={name} className={styles.link}>
      <span className="cut">{start.join('')}</span>
      {end.length > 0 && <span className={styles.end}>{end.join('')}</span>}
    </Link>
  );
}
