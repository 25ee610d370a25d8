import type { Batch } from '@rowmill/contract';
import { Link } from 'react-router';
import { batchPath } from '../../lib/paths.ts';
import { CutName } from '../../ui/cut-name.tsx';
import styles from './batch-link.module.css';

/** The name of a batch leads to it. */
export function BatchLink({ batch: { id, name } }: { batch: Pick<Batch, 'id' | 'name'> }) {
  return (
    <Link to={batchPath(id)} className={styles.link}>
      <CutName name={name} />
    </Link>
  );
}
