import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { type RowView, rowsQuery } from '../api.ts';
import { RowDialog } from './row-dialog.tsx';
import { RowsGrid } from './rows-grid.tsx';
import { lineId } from './rows-line.tsx';
import { StillShown } from './still-shown.tsx';

/** Browsers cannot scroll further than some 17 million points; lines beyond are found by filter, search or download. */
const mostLines = 300_000;

interface Props {
  view: RowView;
  columns: readonly string[];
  outputs: readonly string[];
}

export function RowsBrowser({ view, columns, outputs }: Props) {
  const firstPage = useQuery(rowsQuery(view, 0));
  const [active, setActive] = useState(0);
  const [shown, setShown] = useState<number | null>(null);
  /** The browser gives the focus back to the line that was opened; the reader may have gone on from there. */
  function close() {
    const last = shown ?? 0;
    setShown(null);
    setActive(last);
    requestAnimationFrame(() => document.getElementById(lineId(last))?.focus());
  }
  return (
    <StillShown query={firstPage}>
      {({ total }) => {
        const lines = Math.min(total, mostLines);
        return (
          <>
            <p className="soft" role="status">
              {foundWords(total, lines)}
            </p>
            {lines > 0 && (
              <RowsGrid
                view={view}
                total={lines}
                active={active}
                onActive={setActive}
                onOpen={setShown}
              />
            )}
            {shown !== null && (
              <RowDialog
                view={view}
                index={shown}
                total={lines}
                columns={columns}
                outputs={outputs}
                onIndex={setShown}
                onClose={close}
              />
            )}
          </>
        );
      }}
    </StillShown>
  );
}

function foundWords(total: number, lines: number): string {
  if (total === 0) return texts.noRowMatches;
  if (total > lines)
    return texts.firstListed({ rows: formatNumber(total), lines: formatNumber(lines) });
  return texts.matchingRows(total, formatNumber(total));
}
