import { type Output, type Sheet, splitAnswer } from '@rowmill/contract';
import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { copyCells } from '../../../entities/row/copy-cells.ts';
import {
  answerColumns,
  arrange,
  numberColumn,
  sheetColumns,
} from '../../../entities/row/row-columns.tsx';
import { RowsNotLoaded } from '../../../entities/row/rows-not-loaded.tsx';
import { useColumnView } from '../../../entities/row/use-column-view.ts';
import { useMediaQuery } from '../../../lib/hooks/use-media-query.ts';
import * as texts from '../../../texts/ask.ts';
import { DataGrid } from '../../../ui/grid/data-grid.tsx';
import { useNeededPages } from '../../../ui/grid/grid-pages.ts';
import { fetchSheetRows, type SheetRow, sheetRowsPerPage, sheetRowsQuery } from '../api.ts';
import type { Preview } from '../preview/use-preview.ts';
import styles from './sheet.module.css';

/** Narrow enough to stay in view beside the first column. */
const besidePrompt = 220;

interface Props {
  sheet: Sheet;
  outputs: readonly Output[];
  preview: Preview;
  /** The row whose prompt is shown. */
  index: number;
  onIndex: (index: number) => void;
}

/** The whole sheet, with the answers of its previews beside the rows. */
export function SheetGrid({ sheet, outputs, preview, index, onIndex }: Props) {
  const { tried, pending } = preview;
  const [view, changeView] = useColumnView(sheet.id);
  const [active, setActive] = useState({ row: index, column: 0 });
  const [shown, setShown] = useState(index);
  // A row that was chosen beside the grid may be far from the rows in view.
  if (shown !== index) {
    setShown(index);
    setActive({ ...active, row: index });
  }
  const { rowAt, failed, onVisible } = useSheetRows(sheet);
  const isTouch = useMediaQuery('(pointer: coarse)');
  const columns = useMemo(() => {
    const all = [
      numberColumn<SheetRow>(sheet.rows),
      ...sheetColumns<SheetRow>(sheet.columns, sheet.sample),
      ...answerColumns<SheetRow>(outputs, {
        sample: [],
        width: besidePrompt,
        texts: ({ row }) => {
          const { answer = null, problem = null } = tried.get(row) ?? {};
          if (problem !== null) return [problem];
          return answer === null ? [] : splitAnswer(answer, outputs);
        },
        isAwaited: ({ row }) => pending.has(row),
        tone: ({ row }) => (typeof tried.get(row)?.problem === 'string' ? 'failed' : undefined),
      }),
    ];
    return arrange(all, view);
  }, [sheet, outputs, tried, pending, view]);
  // With its line of 1 px.
  const rowHeight = isTouch ? 45 : 38;
  /** The rows, their head and a scroll bar; wrapped rows are higher. */
  const height = (sheet.rows + 1) * rowHeight + 24;
  const maxHeight = view.isWrapped ? undefined : `${height / 16}rem`;
  return (
    <div className={styles.grid} style={{ maxHeight }}>
      <RowsNotLoaded pages={failed} />
      <DataGrid<SheetRow>
        label={texts.rowsOfSheet}
        columns={columns}
        total={sheet.rows}
        rowAt={rowAt}
        rowHeight={rowHeight}
        isWrapped={view.isWrapped}
        active={active}
        onActive={setActive}
        current={index}
        onOpen={onIndex}
        onVisible={onVisible}
        onCopy={(range) =>
          void copyCells(columns, range, (first, last) => fetchSheetRows(sheet, first, last))
        }
        onWidth={(column, width) => changeView({ widths: { ...view.widths, [column]: width } })}
      />
    </div>
  );
}

function useSheetRows(sheet: Sheet) {
  const { pages, onVisible } = useNeededPages(sheet.rows, sheetRowsPerPage);
  const results = useQueries({ queries: pages.map((page) => sheetRowsQuery(sheet, page)) });
  const loaded = new Map(pages.map((page, index) => [page, results[index]?.data]));
  const rowAt = (row: number): SheetRow | undefined => {
    const cells = loaded.get(Math.floor(row / sheetRowsPerPage))?.[row % sheetRowsPerPage];
    return cells && { row, cells };
  };
  return { rowAt, failed: results.filter(({ isError, data }) => isError && !data), onVisible };
}
