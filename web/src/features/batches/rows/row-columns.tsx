import { type Batch, type Output, splitAnswer } from '@rowmill/contract';
import { useMemo } from 'react';
import { answerColumns, numberColumn, sheetColumns } from '../../../entities/row/row-columns.tsx';
import * as texts from '../../../texts/batches/batch.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import type { GridColumn, ReasonTone } from '../../../ui/grid/grid-layout.ts';
import type { Row } from '../api.ts';
import { RowSigns } from './row-marks.tsx';
import { RowState, rowStateName } from './row-state.tsx';

/** What the columns of a batch depend on. Its counts change all the time, this does not. */
export interface RowShape {
  columns: readonly string[];
  outputs: readonly Output[];
  rows: number;
  isEnded: boolean;
  isRunning: boolean;
}

export function useRowShape({ columns, outputs, rows, ended_at, state }: Batch): RowShape {
  const isEnded = ended_at !== null;
  const shape = JSON.stringify({ columns, outputs, rows, isEnded, isRunning: state === 'running' });
  return useMemo(() => JSON.parse(shape) as RowShape, [shape]);
}

interface Samples {
  /** The rows that were seen first: filters do not change the widths. */
  first: readonly Row[];
  latest: readonly Row[];
}

/** Row number and state, the columns of the sheet, and the answers. */
export function columnsOf(batch: RowShape, { first, latest }: Samples): GridColumn<Row>[] {
  return [
    numberColumn(batch.rows),
    stateColumn(batch),
    ...sheetColumns<Row>(
      batch.columns,
      first.map(({ cells }) => cells),
    ),
    ...answerColumns(batch.outputs, {
      sample: latest,
      texts: (row: Row) => answerTexts(row, batch.outputs),
      isAwaited: ({ state }) => batch.isRunning && state === 'waiting',
      tone: reasonTone,
    }),
  ];
}

function stateColumn({ isEnded }: RowShape): GridColumn<Row> {
  return {
    id: 'state',
    label: texts.state,
    width: 150,
    pin: 'start',
    text: ({ state }) => rowStateName(state, isEnded),
    shown: (row) => (
      <>
        <RowState state={row.state} isEnded={isEnded} /> <RowSigns row={row} />
      </>
    ),
  };
}

/** A skipped row and one that is tried again show a reason, which is no answer. */
function reasonTone({ state, answer }: Row): ReasonTone | undefined {
  if (state === 'failed') return 'failed';
  return answer === null ? 'muted' : undefined;
}

/** Columns that a filter knows and the grid does not show. */
export const filteredColumns = (columns: readonly GridColumn<Row>[]): GridColumn<Row>[] => [
  ...columns,
  ...Object.entries(rowTexts.hiddenColumns).map(([id, label]) => ({
    id,
    label,
    width: 0,
    text: () => '',
  })),
];

/** The answer columns of a row. A reason, or an unsplit answer, is in the first one. */
export function answerTexts(row: Row, outputs: readonly Output[]): readonly string[] {
  if (row.problem !== null) return [row.problem];
  const answer = row.correction ?? row.answer;
  if (answer === null)
    return row.earlier_problem ? [texts.earlierProblem(row.earlier_problem)] : [];
  return splitAnswer(answer, outputs);
}
