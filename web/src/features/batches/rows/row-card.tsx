import { Fragment, type ReactNode } from 'react';
import { choicePills } from '../../../entities/prompt/choice-pills.tsx';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches/batch.ts';
import type { GridColumn } from '../../../ui/grid/grid-layout.ts';
import type { Row } from '../api.ts';
import styles from './batch-rows.module.css';
import { answerTexts, type RowShape } from './row-columns.tsx';
import { RowSigns } from './row-marks.tsx';
import { RowState } from './row-state.tsx';

const separator = ' · ';
/** Characters of each text, of which one line is in view. */
const shownLength = 200;
/** Cells of the sheet, likewise. */
const shownCells = 20;

/** On a phone a row is one card: its answer first, the cells of the sheet below. */
export function cardColumn({ outputs, isEnded }: RowShape): GridColumn<Row> {
  const answer = (row: Row) => answerTexts(row, outputs).join(separator);
  const filled = (row: Row) => row.cells.filter((cell) => cell.trim() !== '');
  return {
    id: 'card',
    label: texts.rows,
    width: 240,
    text: (row) => `${answer(row)}\n${filled(row).join(separator)}`,
    control: ({ row, tabIndex }) => (
      <button type="button" className={styles.card} data-cell-control tabIndex={tabIndex}>
        <span className={styles.cardHead}>
          <span className={styles.cardNumber}>
            <span className="sr-only">{texts.open}</span> {formatNumber(row.row + 1)}
          </span>
          {row.state !== 'answered' && <RowState state={row.state} isEnded={isEnded} />}
          <RowSigns row={row} />
          <span className="cut">
            {inOrder(
              answerTexts(row, outputs).map(
                (text, index) => choicePills(text, outputs[index]) ?? text.slice(0, shownLength),
              ),
            )}
          </span>
        </span>
        <span className="muted cut">
          {inOrder(
            filled(row)
              .slice(0, shownCells)
              .map((cell) => cell.slice(0, shownLength)),
          )}
        </span>
      </button>
    ),
  };
}

/** Each has its own direction: without it, two Hebrew columns would change places. */
const inOrder = (parts: readonly ReactNode[]) =>
  parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order
    <Fragment key={index}>
      {index > 0 && separator}
      <bdi>{part}</bdi>
    </Fragment>
  ));
