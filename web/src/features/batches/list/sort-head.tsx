import type { BatchOrder } from '@rowmill/contract';
import { ArrowDown, ArrowUp } from 'lucide-react';
import styles from './history.module.css';

interface Props {
  label: string;
  /** The orders of this column; a press on the chosen one takes the next. */
  orders: readonly BatchOrder[];
  sort: BatchOrder;
  onSort: (sort: BatchOrder) => void;
  isAmount?: boolean;
}

const ascending: readonly BatchOrder[] = ['oldest', 'name'];

/** A column head that sorts the whole list on the server. */
export function SortHead({ label, orders, sort, onSort, isAmount = false }: Props) {
  const isChosen = orders.includes(sort);
  const next = orders[(orders.indexOf(sort) + 1) % orders.length] ?? 'newest';
  const isUp = ascending.includes(sort);
  const Icon = isUp ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      className={isAmount ? 'amount' : undefined}
      aria-sort={isChosen ? (isUp ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort(isChosen && orders.length === 1 ? 'newest' : next)}
      >
        {label}
        {isChosen && <Icon aria-hidden size={14} />}
      </button>
    </th>
  );
}
