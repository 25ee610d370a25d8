import type { LucideIcon } from 'lucide-react';
import styles from './filter-buttons.module.css';

interface Props<Name extends string> {
  /** Read out before the buttons. */
  label: string;
  icon?: LucideIcon;
  filters: readonly (readonly [name: Name, label: string])[];
  chosen: Name | null;
  onChoose: (name: Name) => void;
}

/** Filters of a list side by side, usually with their counts. */
export function FilterButtons<Name extends string>(props: Props<Name>) {
  const { label, icon: Icon, filters, chosen, onChoose } = props;
  return (
    <div className={`scrolls ${styles.frame}`}>
      <fieldset className={styles.filters}>
        <legend className="sr-only">{label}</legend>
        {Icon && <Icon aria-hidden size={16} />}
        {filters.map(([name, shown]) => (
          <button
            key={name}
            type="button"
            className={styles.filter}
            aria-pressed={name === chosen}
            onClick={() => onChoose(name)}
          >
            {shown}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
