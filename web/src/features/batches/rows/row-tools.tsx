import { type RowFilter, type StateFilter, stateFilters } from '@rowmill/contract';
import { ListFilter } from 'lucide-react';
import { formatNumber } from '../../../lib/format.ts';
import { useIsPhone } from '../../../lib/hooks/use-media-query.ts';
import * as texts from '../../../texts/batches/batch.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import { Button } from '../../../ui/button.tsx';
import { FilterButtons } from '../../../ui/form/filter-buttons.tsx';
import { SearchField } from '../../../ui/form/search-field.tsx';
import type { ColumnView } from '../../../ui/grid/column-view.ts';
import type { GridColumn } from '../../../ui/grid/grid-layout.ts';
import type { Row } from '../api.ts';
import styles from './batch-rows.module.css';
import { ColumnMenu } from './column-menu.tsx';
import { rowStateName } from './row-state.tsx';

interface Props {
  counts: Record<StateFilter, number>;
  isEnded: boolean;
  filter: RowFilter;
  search: string;
  columns: readonly GridColumn<Row>[];
  columnView: ColumnView;
  onFilter: (filter: RowFilter) => void;
  onSearch: (search: string) => void;
  onColumnView: (change: Partial<ColumnView>) => void;
  /** Any column can be filtered, also on a phone, which shows no heads. */
  onOpenFilter: (button: HTMLElement) => void;
}

/** The line above the grid: filters with their counts, search and columns. */
export function RowTools(props: Props) {
  const { counts, isEnded, filter, search, columns, columnView } = props;
  const isPhone = useIsPhone();
  const shown = stateFilters.filter(
    (name) => name === 'all' || name === filter || counts[name] > 0,
  );
  return (
    <search className={styles.tools}>
      <FilterButtons
        label={texts.show}
        filters={shown.map((name) => [
          name,
          texts.filterWithCount({
            filter: name === 'all' ? texts.all : rowStateName(name, isEnded),
            rows: formatNumber(counts[name]),
          }),
        ])}
        chosen={filter}
        onChoose={props.onFilter}
      />
      <div className={styles.search}>
        <SearchField
          label={texts.searchRows}
          hasHiddenLabel
          placeholder={texts.searchRows}
          value={search}
          onSearch={props.onSearch}
        />
      </div>
      <Button
        variant="secondary"
        onClick={({ currentTarget }) => props.onOpenFilter(currentTarget)}
      >
        <ListFilter aria-hidden size={18} />
        {rowTexts.filter}
      </Button>
      {!isPhone && <ColumnMenu columns={columns} view={columnView} onChange={props.onColumnView} />}
    </search>
  );
}
