import * as z from 'zod/mini';
import { call } from '../endpoint.ts';
import { count } from '../fields.ts';
import { modelOptions, reasoningEfforts } from './model-options.ts';

/** What a model makes of `response_format`, asked before its first answer in columns. */
export const formatFindings = ['obeys', 'ignores', 'refuses'] as const;
export type FormatFinding = (typeof formatFindings)[number];

/** A model as the person who chooses it sees it. */
export const chatModel = z.object({
  id: z.string(),
  label: z.string(),
  submissions_per_row: count,
  /** The price buys this many tokens of prompt and answer, rounded up. Null: it is per row. */
  price_tokens: z.nullable(count),
  /** By size: how many tokens an answer may have when a person sets nothing. */
  answer_tokens: z.nullable(count),
  is_demo: z.boolean(),
  /** The options that it takes with the prompt. */
  options: z.array(z.enum(modelOptions)),
  /** The values of `reasoning_effort`, if that is one of them. */
  reasoning_efforts: z.array(z.enum(reasoningEfforts)),
  /** Null: not asked for columns yet. Otherwise words describe columns, unless it obeys. */
  response_format: z.nullable(z.enum(formatFindings)),
});
export type ChatModelChoice = z.infer<typeof chatModel>;

export const getModels = call({
  path: '/api/emedia/getModels',
  summary: 'The available models, the default first.',
  answer: z.object({ models: z.array(chatModel) }),
});
