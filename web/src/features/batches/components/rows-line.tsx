import { memo } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import type { Row } from '../api.ts';
import { RowState } from './row-state.tsx';

interface Props {
  index: number;
  /** Not there while its page is on the way. */
  row: Row | undefined;
  isActive: boolean;
  onActive: (index: number) => void;
  onOpen: (index: number) => void;
}

export const lineId = (index: number) => `row-line-${index}`;

/** One line of the table. Its button covers the whole line, so that it opens wherever it is pressed. */
export const RowsLine = memo(function RowsLine({ index, row, isActive, onActive, onOpen }: Props) {
  return (
    <tr className="rows-line" aria-rowindex={index + 2} aria-busy={!row}>
      <td>
        <button
          type="button"
          id={lineId(index)}
          tabIndex={isActive ? 0 : -1}
          aria-label={row ? texts.openRow(formatNumber(row.row + 1)) : texts.rowLoads}
          onFocus={() => onActive(index)}
          onClick={() => onOpen(index)}
        >
          {row ? formatNumber(row.row + 1) : '…'}
        </button>
      </td>
      <td>{row ? <RowState state={row.state} /> : <div className="skeleton" />}</td>
      <td className="rows-prompt">{row && short(row.prompt)}</td>
      <td>{row && short(row.problem ?? row.answer ?? '')}</td>
    </tr>
  );
});

/** One line shows no more than this; a megabyte in each of fifty lines would be felt. */
function short(text: string): string {
  return text.slice(0, 300);
}
