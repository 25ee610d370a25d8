import { Columns3 } from 'lucide-react';
import * as texts from '../../../texts/batches.ts';
import type { ColumnView } from '../../../ui/grid/column-view.ts';
import type { GridColumn } from '../../../ui/grid/grid-layout.ts';
import { MenuButton, MenuChoice } from '../../../ui/menu-button.tsx';
import type { Row } from '../api.ts';
import styles from './batch-rows.module.css';

interface Props {
  columns: readonly GridColumn<Row>[];
  view: ColumnView;
  onChange: (change: Partial<ColumnView>) => void;
}

/** Which columns are shown, and how. */
export function ColumnMenu({ columns, view, onChange }: Props) {
  const toggle = (id: string, isShown: boolean) =>
    onChange({
      hidden: isShown ? view.hidden.filter((hidden) => hidden !== id) : [...view.hidden, id],
    });
  return (
    <MenuButton label={texts.columns} of={texts.rows} icon={Columns3}>
      <div className={styles.choices}>
        <MenuChoice
          label={texts.wrapText}
          isOn={view.isWrapped}
          onToggle={(isWrapped) => onChange({ isWrapped })}
        />
        <MenuChoice
          label={texts.freezeFirst}
          isOn={view.isFrozen}
          onToggle={(isFrozen) => onChange({ isFrozen })}
        />
        <hr />
        {columns
          .filter(({ id }) => id !== 'row')
          .map(({ id, label }) => (
            <MenuChoice
              key={id}
              label={label}
              isOn={!view.hidden.includes(id)}
              onToggle={(isShown) => toggle(id, isShown)}
            />
          ))}
      </div>
    </MenuButton>
  );
}
