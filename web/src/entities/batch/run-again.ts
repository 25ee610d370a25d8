import type { Batch, RowsAgain } from '@rowmill/contract';
import * as z from 'zod/mini';
import { tabNote } from '../../lib/tab-note.ts';

interface RunAgain {
  batch: Batch;
  rows: RowsAgain;
  /** The number of these rows. */
  count: number;
}

/**
 * A batch whose rows are to run again, on the way from its page to the form for a new one. Only
 * this app writes it, in this tab, just before it is read.
 */
export const runAgain = tabNote('runAgain', z.custom<RunAgain>());
