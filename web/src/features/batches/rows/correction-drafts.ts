import * as z from 'zod/mini';
import { correctionsKey } from '../../../lib/storage.ts';
import { tabDrafts } from '../../../lib/tab-drafts.ts';

const text = z.string();

/** Corrections that are not saved yet, by batch and row. */
export const correctionDrafts = tabDrafts(correctionsKey, z.record(text, text));
