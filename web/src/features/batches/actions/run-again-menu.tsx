import type { Batch, RowsAgain } from '@rowmill/contract';
import { CirclePlay } from 'lucide-react';
import { useNavigate } from 'react-router';
import { waitingRows } from '../../../entities/batch/description.ts';
import { runAgain } from '../../../entities/batch/run-again.ts';
import { formatNumber } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { useSubjectId } from '../../../lib/session.ts';
import * as texts from '../../../texts/batches/batch.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { countOf, type RowChoice } from '../rows/row-selection.tsx';
import { ActionButton } from './action-button.tsx';

const judgedWrong = {
  filter: 'all',
  search: '',
  conditions: [{ column: 'judgement', is: 'equals', value: 'wrong' }],
} satisfies RowsAgain;

interface Props {
  batch: Batch;
  selected: RowChoice;
}

/** Opens the form for a new batch with the sheet, prompt and options of this one. */
export function RunAgainMenu({ batch, selected }: Props) {
  const userId = useSubjectId();
  const navigate = useNavigate();
  const chosen: RowsAgain = selected.found
    ? { ...selected.found.search, except: [...selected.rows] }
    : [...selected.rows];
  const kinds: { rows: RowsAgain; count: number; label: (rows: string) => string }[] = [
    { rows: chosen, count: countOf(selected), label: texts.rowsSelected },
    { rows: 'all', count: batch.rows, label: texts.runAll },
    { rows: 'marked', count: batch.marked, label: texts.markedRows },
    { rows: judgedWrong, count: batch.judged.wrong, label: rowTexts.runWrong },
    { rows: 'failed', count: batch.failed, label: texts.runFailed },
    { rows: 'not_run', count: waitingRows(batch), label: texts.runNotRun },
  ];
  function run(rows: RowsAgain, count: number) {
    if (!userId) return;
    runAgain.save(userId, { batch, rows, count });
    void navigate(paths.ask);
  }
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
