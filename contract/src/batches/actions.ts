import * as z from 'zod/mini';
import { call } from '../endpoint.ts';
import { id, line, switchedAs } from '../fields.ts';
import { optionFields } from '../models/model-options.ts';
import { batch, ofOneBatch } from './batches.ts';

export const playOrPause = call({
  path: '/api/emedia/playOrPause',
  summary:
    'Starts, resumes or pauses a batch. Sets a target state, so repeating it changes nothing.',
  body: ['id', 'status'],
  names: { field: 'id', a: 'batch' },
  request: z.object({ id, status: z.enum(['play', 'pause'], 'Choose play or pause.'), switchedAs }),
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now', 'insufficient_credits'],
});

export const stopFileProcessing = call({
  path: '/api/emedia/stopFileProcessing',
  summary:
    'Stops a batch: sends no more rows, stores those in flight and returns the unused submissions.',
  body: ['id'],
  names: { field: 'id', a: 'batch' },
  request: ofOneBatch,
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now'],
});

export const retryFailed = call({
  path: '/api/emedia/retryFailed',
  summary: 'Runs the failed rows of an ended batch again.',
  names: { field: 'id', a: 'batch' },
  request: ofOneBatch,
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now', 'insufficient_credits'],
});

export const changeBatchOptions = call({
  path: '/api/emedia/changeBatchOptions',
  summary:
    'Replaces the model and all its options for the rows without an answer, of a paused batch or one with failed rows. An absent option is unset; an absent model is the default.',
  names: { field: 'id', a: 'batch' },
  request: z.object({ id, ...optionFields, switchedAs }),
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found', 'not_now', 'model_failed'],
});

export const renameBatch = call({
  path: '/api/emedia/renameBatch',
  summary: 'Gives a batch another name.',
  names: { field: 'id', a: 'batch' },
  request: z.object({ id, name: line(200), switchedAs }),
  answer: z.object({ batch, message: z.string() }),
  refusals: ['not_found'],
});

export const deleteBatch = call({
  path: '/api/emedia/deleteBatch',
  summary: 'Deletes an ended batch with its prompts and answers; its ledger entries stay.',
  names: { field: 'id', a: 'batch' },
  request: ofOneBatch,
  answer: z.object({ message: z.string() }),
  refusals: ['not_found', 'not_now'],
});
