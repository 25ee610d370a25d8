import { type AnswerType, asColumn, type Output, outputNames } from '@rowmill/contract';
import { formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/entities.ts';
import { type ColumnView, inOrder } from '../../ui/grid/column-view.ts';
import { isNumericColumn, widthFor } from '../../ui/grid/grid-cells.ts';
import type { GridColumn, ReasonTone } from '../../ui/grid/grid-layout.ts';
import { choicePills } from '../prompt/choice-pills.tsx';
import styles from './row-columns.module.css';

/** The number of a row, which opens it. */
export function numberColumn<R extends { row: number }>(rows: number): GridColumn<R> {
  return {
    id: 'row',
    label: texts.rowColumn,
    width: widthFor('', [formatNumber(rows)]) - 16,
    pin: 'start',
    isNumeric: true,
    text: ({ row }) => String(row + 1),
    control: ({ row, tabIndex }) => (
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

/** The columns of a sheet, as wide as some of its rows need them. */
export function sheetColumns<R extends { cells: readonly string[] }>(
  labels: readonly string[],
  sample: readonly (readonly string[])[],
): GridColumn<R>[] {
  return labels.map((label, index) => {
    const cells = sample.map((row) => row[index] ?? '');
    return {
      id: `sheet ${index}`,
      label: label || texts.columnNumber(index + 1),
      width: widthFor(label, cells),
      isNumeric: isNumericColumn(cells),
      text: ({ cells }) => cells[index] ?? '',
    };
  });
}

const singleWidth = 360;
/** The width of one of several columns, in pixels; a longer name needs more. */
const typeWidths: Record<AnswerType, number> = {
  text: 180,
  integer: 88,
  number: 88,
  boolean: 88,
  choice: 120,
  choices: 180,
  date: 110,
};
const splitWidth = (output: Output, label: string) =>
  Math.max(typeWidths[asColumn(output).type], widthFor(label, []));

const isNumber = (output: Output | undefined) =>
  output !== undefined && ['integer', 'number'].includes(asColumn(output).type);

interface Answers<R> {
  /** The width of a single column. */
  width?: number;
  sample: readonly R[];
  /** The texts of the answer columns of a row. */
  texts: (row: R) => readonly string[];
  /** Whether the answer is on its way. */
  isAwaited: (row: R) => boolean;
  /** Set when the text says why there is no answer. */
  tone: (row: R) => ReasonTone | undefined;
}

/** The columns of the answers, at the end of the grid. */
export function answerColumns<R>(outputs: readonly Output[], answers: Answers<R>): GridColumn<R>[] {
  const names = outputs.length > 0 ? outputNames(outputs) : [texts.answer];
  return names.map((label, index) => {
    const output = outputs[index];
    const text = (row: R) => answers.texts(row)[index] ?? '';
    return {
      id: `answer ${index}`,
      label,
      width:
        output === undefined || names.length === 1
          ? (answers.width ?? singleWidth)
          : splitWidth(output, label),
      pin: 'end',
      isAnswer: true,
      isNumeric:
        isNumber(output) || (names.length > 1 && isNumericColumn(answers.sample.map(text))),
      isAwaited: answers.isAwaited,
      tone: answers.tone,
      text,
      shown: (row) => choicePills(text(row), output),
    };
  });
}

/** The columns as the person arranged them. */
export function arrange<R>(columns: readonly GridColumn<R>[], view: ColumnView): GridColumn<R>[] {
  const ordered = inOrder(columns, view.order);
  const first = ordered.find(({ id }) => id.startsWith('sheet '))?.id;
  return ordered
    .filter(({ id }) => !view.hidden.includes(id))
    .map((column) => ({
      ...column,
      width: view.widths[column.id] ?? column.width,
      isSized: column.id in view.widths,
      pin: view.isFrozen && column.id === first ? 'start' : column.pin,
    }));
}
