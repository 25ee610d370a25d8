import { Fragment } from 'react';
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

/** On a phone a row is one card: its answer first, the cells of the sheet below. */
export function cardColumn({ outputs, isEnded }: RowShape): GridColumn<Row> {
  const answer = (row: Row) => answerTexts(row, outputs).join(separator);
  const cells = (row: Row) => row.cells.filter((cell) => cell.trim() !== '').join(separator);
  return {
    id: 'card',
    label: texts.rows,
    width: 240,
    text: (row) => `${answer(row)}\n${cells(row)}`,
    control: ({ row, tabIndex }) => (
      <button type="button" className={styles.card} data-cell-control tabIndex={tabIndex}>
        <span className={styles.cardHead}>
          <span className={styles.cardNumber}>
            <span className="sr-only">{texts.open}</span> {formatNumber(row.row + 1)}
          </span>
          {row.state !== 'answered' && <RowState state={row.state} isEnded={isEnded} />}
          <RowSigns row={row} />
          <span className="cut">
            {answerTexts(row, outputs).map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: answer columns keep their order
              <Fragment key={index}>
                {index > 0 && separator}
                {choicePills(text, outputs[index]) ?? text.slice(0, 200)}
              </Fragment>
            ))}
          </span>
        </span>
        <span className="muted cut">{cells(row).slice(0, 200)}</span>
      </button>
    ),
  };
}
