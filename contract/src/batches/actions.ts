import * as z from 'zod/mini';
import type { Endpoint } from '../endpoint.ts';
import { id, switchedAs } from '../fields.ts';
import { optionFields } from '../models/model-options.ts';
import { batch, ofOneBatch } from './batches.ts';

export const playOrPause = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/playOrPause',
  summary:
    'Starts, resumes or pauses a batch. Sets a target state, so repeating it changes nothing.',
  who: 'verified',
  actAs: 'switchedAs',
  body: ['id', 'status'],
  names: { field: 'id', a: 'batch' },
  request: z.object({ id, status: z.enum(['play', 'pause'], 'Choose play or pause.'), switchedAs }),
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now', 'insufficient_credits'],
} as const satisfies Endpoint;

export const stopFileProcessing = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/stopFileProcessing',
  summary:
    'Stops a batch: sends no more rows, stores those in flight and returns the unused submissions.',
  who: 'verified',
  actAs: 'switchedAs',
  body: ['id'],
  names: { field: 'id', a: 'batch' },
  request: ofOneBatch,
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now'],
} as const satisfies Endpoint;

export const retryFailed = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/retryFailed',
  summary: 'Runs the failed rows of an ended batch again.',
  who: 'verified',
  actAs: 'switchedAs',
  names: { field: 'id', a: 'batch' },
  request: ofOneBatch,
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now', 'insufficient_credits'],
} as const satisfies Endpoint;

export const changeBatchOptions = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/changeBatchOptions',
  summary:
    'Changes the model and its options for the rows without an answer, of a paused batch or one with failed rows.',
  who: 'verified',
  actAs: 'switchedAs',
  names: { field: 'id', a: 'batch' },
  request: z.object({ id, ...optionFields, switchedAs }),
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now', 'model_failed'],
} as const satisfies Endpoint;

export const renameBatch = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/renameBatch',
  summary: 'Gives a batch another name.',
  who: 'verified',
  actAs: 'switchedAs',
  names: { field: 'id', a: 'batch' },
  request: z.object({
    id,
    name: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Give it a name.'),
        z.maxLength(200, 'At most 200 characters.'),
      ),
    switchedAs,
  }),
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found'],
} as const satisfies Endpoint;

export const deleteBatch = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/deleteBatch',
  summary: 'Deletes an ended batch with its prompts and answers; its ledger entries stay.',
  who: 'verified',
  actAs: 'switchedAs',
  names: { field: 'id', a: 'batch' },
  request: ofOneBatch,
  answer: z.object({ message: z.string() }),
  refusals: ['not_found', 'not_now'],
} as const satisfies Endpoint;
