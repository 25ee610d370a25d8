import { type Batch, cellsOf, type Output, outputNames } from '@rowmill/contract';
import { useMemo } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import * as filterTexts from '../../../texts/row-filters.ts';
import type { ColumnView } from '../../../ui/grid/column-view.ts';
import { isNumericColumn, widthFor } from '../../../ui/grid/grid-cells.ts';
import type { GridColumn } from '../../../ui/grid/grid-layout.ts';
import type { Row } from '../api.ts';
import styles from './batch-rows.module.css';
import { JudgementSign } from './judgements.tsx';
import { MarkSign } from './row-marks.tsx';
import { RowState, rowStateName } from './row-state.tsx';

/** What the columns of a batch depend on. Its counts change all the time, this does not. */
export interface RowShape {
  columns: readonly string[];
  outputs: readonly Output[];
  rows: number;
  isEnded: boolean;
}

export function useRowShape({ columns, outputs, rows, ended_at }: Batch): RowShape {
  const shape = JSON.stringify({ columns, outputs, rows, isEnded: ended_at !== null });
  return useMemo(() => JSON.parse(shape) as RowShape, [shape]);
}

const answerWidth = { single: 360, split: 150 } as const;

interface Samples {
  /** The rows that were seen first: filters do not change the widths. */
  first: readonly Row[];
  latest: readonly Row[];
}

/** Row number and state, the columns of the sheet, and the answers. */
export function columnsOf(batch: RowShape, { first, latest }: Samples): GridColumn<Row>[] {
  const own = batch.columns.map((label, index): GridColumn<Row> => {
    const cells = first.map((row) => row.cells[index] ?? '');
    return {
      id: `sheet ${index}`,
      label: label || texts.columnNumber(index + 1),
      width: widthFor(label, cells),
      isNumeric: isNumericColumn(cells),
      text: ({ cells }) => cells[index] ?? '',
    };
  });
  return [numberColumn(batch), stateColumn(batch), ...own, ...answerColumnsOf(batch, latest)];
}

function numberColumn(batch: RowShape): GridColumn<Row> {
  return {
    id: 'row',
    label: texts.rowColumn,
    width: widthFor('', [formatNumber(batch.rows)]) - 16,
    pin: 'start',
    isNumeric: true,
    text: ({ row }) => String(row + 1),
    cell: ({ row, tabIndex }) => (
      <button
        type="button"
        className={styles.opener}
        data-cell-control
        tabIndex={tabIndex}
        aria-label={texts.openRow(formatNumber(row.row + 1))}
      >
        {formatNumber(row.row + 1)}
      </button>
    ),
  };
}

function stateColumn({ isEnded }: RowShape): GridColumn<Row> {
  return {
    id: 'state',
    label: texts.state,
    width: 126,
    pin: 'start',
    text: ({ state }) => rowStateName(state, isEnded),
    cell: ({ row }) => (
      <>
        <RowState state={row.state} isEnded={isEnded} /> <MarkSign marks={row.marks} />
        <JudgementSign judgement={row.judgement} />
      </>
    ),
  };
}

function answerColumnsOf({ outputs }: RowShape, sample: readonly Row[]): GridColumn<Row>[] {
  const names = outputs.length > 0 ? outputNames(outputs) : [texts.answer];
  return names.map((label, index): GridColumn<Row> => {
    const text = (row: Row) => answerTexts(row, outputs)[index] ?? '';
    return {
      id: `answer ${index}`,
      label,
      width: names.length === 1 ? answerWidth.single : answerWidth.split,
      pin: 'end',
      isAnswer: true,
      isNumeric: names.length > 1 && isNumericColumn(sample.map(text)),
      text,
    };
  });
}

/** Columns that a filter knows and the grid does not show. */
export const filteredColumns = (columns: readonly GridColumn<Row>[]): GridColumn<Row>[] => [
  ...columns,
  ...Object.entries(filterTexts.hiddenColumns).map(([id, label]) => ({
    id,
    label,
    width: 0,
    text: () => '',
  })),
];

/** The answer columns of a row. A reason or an answer that cannot be split stands whole in the first one. */
export function answerTexts(row: Row, outputs: readonly Output[]): readonly string[] {
  if (row.problem !== null) return [row.problem];
  const answer = row.correction ?? row.answer;
  if (answer === null)
    return row.earlier_problem ? [texts.earlierProblem(row.earlier_problem)] : [];
  return cellsOf(answer, outputs)?.map(({ text }) => text) ?? [answer];
}

/** The columns as the person arranged them. */
export function arrange(columns: readonly GridColumn<Row>[], view: ColumnView): GridColumn<Row>[] {
  const first = columns.find(({ id }) => id.startsWith('sheet '))?.id;
  return columns
    .filter(({ id }) => !view.hidden.includes(id))
    .map((column) => ({
      ...column,
      width: view.widths[column.id] ?? column.width,
      pin: view.isFrozen && column.id === first ? 'start' : column.pin,
    }));
}
