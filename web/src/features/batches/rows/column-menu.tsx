import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useState } from 'react';
import * as texts from '../../../texts/batches/batch.ts';
import { IconButton } from '../../../ui/button.tsx';
import { SearchField } from '../../../ui/form/search-field.tsx';
import { type ColumnView, inOrder, moveColumn } from '../../../ui/grid/column-view.ts';
import type { GridColumn } from '../../../ui/grid/grid-layout.ts';
import { MenuButton, MenuChoice } from '../../../ui/menu-button.tsx';
import type { Row } from '../api.ts';
import styles from './batch-rows.module.css';

interface Props {
  columns: readonly GridColumn<Row>[];
  view: ColumnView;
  onChange: (change: Partial<ColumnView>) => void;
}

/** Columns of the sheet, and of the answers: each moves only among its own. */
function groupsOf(columns: readonly GridColumn<Row>[]) {
  const kinds = Map.groupBy(
    columns.filter(({ id }) => id !== 'row'),
    ({ id }) => id.split(' ')[0],
  );
  return [...kinds.values()];
}

/** From here on they can be searched, and hidden together. */
const manyColumns = 10;

/** Which columns are shown, in which order, and how. */
export function ColumnMenu({ columns, view, onChange }: Props) {
  const toggle = (id: string, isShown: boolean) =>
    onChange({
      hidden: isShown ? view.hidden.filter((hidden) => hidden !== id) : [...view.hidden, id],
    });
  const ordered = inOrder(columns, view.order);
  const ofSheet = ordered.map(({ id }) => id).filter((id) => id.startsWith('sheet '));
  const others = view.hidden.filter((id) => !ofSheet.includes(id));
  const [search, setSearch] = useState('');
  const isFound = (label: string) => label.toLowerCase().includes(search.toLowerCase());
  const move = (id: string, by: -1 | 1) =>
    onChange({
      order: moveColumn(
        ordered.map(({ id }) => id),
        id,
        by,
      ),
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
        {ofSheet.length >= manyColumns && (
          <>
            <div className={styles.find}>
              <SearchField
                label={texts.findColumn}
                hasHiddenLabel
                placeholder={texts.findColumn}
                value={search}
                onSearch={setSearch}
              />
            </div>
            <MenuChoice
              label={texts.allColumns}
              isOn={others.length === view.hidden.length}
              onToggle={(isShown) =>
                onChange({ hidden: isShown ? others : [...others, ...ofSheet] })
              }
            />
          </>
        )}
        {groupsOf(ordered).map((group) =>
          group.map(({ id, label }, place) => (
            <div key={id} className={styles.choiceLine} hidden={!isFound(label)}>
              <MenuChoice
                label={label}
                isOn={!view.hidden.includes(id)}
                onToggle={(isShown) => toggle(id, isShown)}
              />
              {group.length > 1 && (
                <>
                  <IconButton
                    label={texts.moveLeft(label)}
                    icon={ArrowUp}
                    isDisabled={place === 0}
                    onPress={() => move(id, -1)}
                  />
                  <IconButton
                    label={texts.moveRight(label)}
                    icon={ArrowDown}
                    isDisabled={place === group.length - 1}
                    onPress={() => move(id, 1)}
                  />
                </>
              )}
            </div>
          )),
        )}
      </div>
    </MenuButton>
  );
}
