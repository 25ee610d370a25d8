import type { Batch, RowsAgain } from '@rowmill/contract';
import { useNavigate } from 'react-router';
import { runAgain } from '../../../entities/batch/run-again.ts';
import { paths } from '../../../lib/paths.ts';
import { useSubjectId } from '../../../lib/session.ts';

/** Opens the form for a new batch with the sheet, prompt and options of this one. */
export function useRunAgain(batch: Batch): (rows: RowsAgain, count: number) => void {
  const userId = useSubjectId();
  const navigate = useNavigate();
  return (rows, count) => {
    if (!userId) return;
    runAgain.save(userId, { batch, rows, count });
    void navigate(paths.ask);
  };
}
