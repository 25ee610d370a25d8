import type { Batch, RowsAgain } from '@rowmill/contract';
import { CirclePlay } from 'lucide-react';
import { waitingRows } from '../../../entities/batch/description.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches/batch.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { countOf, type RowChoice, runnable } from '../rows/row-selection.tsx';
import { ActionButton } from './action-button.tsx';
import { useRunAgain } from './use-run-again.ts';

const judgedWrong = {
  filter: 'all',
  search: '',
  conditions: [{ column: 'judgement', is: 'equals', value: 'wrong' }],
} satisfies RowsAgain;

interface Props {
  batch: Batch;
  selected: RowChoice;
}

/** The kinds of rows that a new batch with the sheet, prompt and options of this one may have. */
export function RunAgainMenu({ batch, selected }: Props) {
  const run = useRunAgain(batch);
  const chosen = runnable(selected);
  const kinds: { rows: RowsAgain; count: number; label: (rows: string) => string }[] = [
    { rows: chosen, count: countOf(selected), label: texts.rowsSelected },
    { rows: 'all', count: batch.rows, label: texts.runAll },
    { rows: 'marked', count: batch.marked, label: texts.markedRows },
    { rows: judgedWrong, count: batch.judged.wrong, label: rowTexts.runWrong },
    { rows: 'failed', count: batch.failed, label: texts.runFailed },
    { rows: 'not_run', count: waitingRows(batch), label: texts.runNotRun },
  ];
  return (
    <MenuButton label={texts.runAgain} of={batch.name}>
      {kinds
        .filter(({ count }) => count > 0)
        .map(({ rows, count, label }) => (
          <ActionButton
            key={JSON.stringify(rows === chosen ? 'selected' : rows)}
            label={label(formatNumber(count))}
            of={batch.name}
            icon={CirclePlay}
            onAct={() => run(rows, count)}
          />
        ))}
    </MenuButton>
  );
}
