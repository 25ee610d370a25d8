import { type Batch, splitAnswer } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type Fact, FactList } from '../../../ui/fact-list.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type Row, type RowView, rowsPerPage, rowsQuery } from '../api.ts';
import { LongText } from '../long-text.tsx';
import styles from './batch-rows.module.css';
import { RowState } from './row-state.tsx';

interface Props {
  batch: Batch;
  view: RowView;
  index: number;
  total: number;
  onIndex: (index: number) => void;
  onClose: () => void;
}

/** One row in full, with buttons to its neighbours. */
export function RowDialog({ batch, view, index, total, onIndex, onClose }: Props) {
  const query = useQuery(rowsQuery(view, Math.floor(index / rowsPerPage)));
  const row = useStableRow(index, query.data?.rows[index % rowsPerPage]);
  return (
    <Dialog
      title={row ? texts.rowNumber(formatNumber(row.row + 1)) : texts.row}
      className={styles.dialog}
      onClose={onClose}
    >
      {row ? (
        <RowDetail row={row} batch={batch} />
      ) : (
        <Loading query={query}>{() => <p>{texts.rowNoLongerListed}</p>}</Loading>
      )}
      <form method="dialog" className="row">
        <Button variant="secondary" disabled={index <= 0} onClick={() => onIndex(index - 1)}>
          {texts.previousRow}
        </Button>
        <Button
          variant="secondary"
          disabled={index >= total - 1}
          onClick={() => onIndex(index + 1)}
        >
          {texts.nextRow}
        </Button>
        <Button type="submit">{texts.close}</Button>
      </form>
    </Dialog>
  );
}

/** While a batch runs, rows leave a filtered list and others move up. The row being read stays the same. */
function useStableRow(index: number, current: Row | undefined): Row | undefined {
  const [opened, setOpened] = useState<{ index: number; row: Row } | null>(null);
  const hasMoved = opened?.index !== index;
  if (current && opened?.row !== current && (hasMoved || opened?.row.row === current.row))
    setOpened({ index, row: current });
  return hasMoved ? current : opened.row;
}

function RowDetail({ row, batch }: { row: Row; batch: Batch }) {
  const values = row.answer === null ? null : splitAnswer(row.answer, batch.outputs);
  return (
    <div className="stack">
      <RowState state={row.state} />
      {row.problem && (
        <Notice tone="error" isStatic>
          {row.problem}
        </Notice>
      )}
      {row.earlier_problem && row.earlier_problem !== row.problem && (
        <Notice tone="warning" isStatic>
          {texts.earlierProblem(row.earlier_problem)}
        </Notice>
      )}
      {row.answer !== null && (
        <Labelled label={row.state === 'failed' ? texts.unusableAnswer : texts.answer}>
          {values ? (
            <FactList facts={namedValues(values, batch.outputs)} empty={texts.empty} />
          ) : (
            <LongText label={texts.answer} text={row.answer} />
          )}
        </Labelled>
      )}
      <Labelled label={texts.prompt}>
        <LongText label={texts.prompt} text={row.prompt} />
      </Labelled>
      <Labelled label={texts.cells}>
        <FactList facts={namedValues(row.cells, batch.columns)} empty={texts.empty} />
      </Labelled>
    </div>
  );
}

function namedValues(values: readonly string[], names: readonly string[]): Fact[] {
  return values.map((value, index) => ({
    name: names[index] ?? texts.columnNumber(index + 1),
    value,
  }));
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="stack">
      <h3 className={styles.label}>{label}</h3>
      {children}
    </div>
  );
}
