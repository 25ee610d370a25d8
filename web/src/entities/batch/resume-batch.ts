import * as z from 'zod/mini';
import { tabNote } from '../../lib/tab-note.ts';

/** The id of the batch that ran out of submissions, while its owner buys more. */
export const batchToResume = tabNote('resumeBatch', z.string());
