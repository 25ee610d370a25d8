import * as z from 'zod/mini';
import { outputs } from '../answers/columns.ts';
import { line, prose } from '../fields.ts';

/** Options that a person can send with the prompt, if the model takes them. */
export const modelOptions = [
  'system',
  'temperature',
  'max_tokens',
  'outputs',
  'top_p',
  'stop',
  'seed',
  'reasoning_effort',
] as const;
export type ModelOption = (typeof modelOptions)[number];

/** How long a model may think before it answers. Few models accept all of these. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];
/** What nearly every model that reasons accepts. */
export const usualEfforts: readonly ReasoningEffort[] = ['low', 'medium', 'high'];

/** Every protocol takes four short texts. Some refuse one of blanks alone. */
export const stopLimits = { texts: 4, characters: 100 } as const;
/** The largest that every protocol takes. */
const maximumSeed = 2_147_483_647;

const stopText = prose(stopLimits.characters).check(
  z.refine((text) => text.trim() !== '', 'Please fill this in.'),
);

/** What the model is asked with. An absent one is the default. */
export const optionFields = {
  model: z.optional(line(120)),
  system: z.optional(prose(20_000)),
  temperature: z.optional(
    z.number('Must be a number.').check(z.gte(0, 'At least 0.'), z.lte(2, 'At most 2.')),
  ),
  /** The model chooses among the likeliest next tokens that together have this probability. */
  top_p: z.optional(
    z.number('Must be a number.').check(z.gte(0, 'At least 0.'), z.lte(1, 'At most 1.')),
  ),
  max_tokens: z.optional(
    z
      .int('Must be a whole number.')
      .check(z.gte(1, 'At least 1.'), z.lte(1_000_000, 'At most 1,000,000.')),
  ),
  /** The answer ends before the first of these texts. */
  stop: z.optional(
    z
      .array(stopText, 'Must be a list.')
      .check(
        z.minLength(1, 'List at least one text.'),
        z.maxLength(stopLimits.texts, `At most ${stopLimits.texts} texts.`),
      ),
  ),
  /** The same seed gives the same answer, as far as the provider can. */
  seed: z.optional(
    z
      .int('Must be a whole number.')
      .check(
        z.gte(0, 'At least 0.'),
        z.lte(maximumSeed, `At most ${maximumSeed.toLocaleString('en')}.`),
      ),
  ),
  reasoning_effort: z.optional(z.enum(reasoningEfforts, `Choose ${reasoningEfforts.join(', ')}.`)),
  outputs: z.optional(outputs),
};

/** The options as stored with a batch. */
export const optionsOfBatch = {
  model: z.string(),
  system: z.nullable(z.string()),
  temperature: z.nullable(z.number()),
  top_p: z.nullable(z.number()),
  max_tokens: z.nullable(z.int()),
  stop: z.nullable(z.array(z.string())),
  seed: z.nullable(z.int()),
  reasoning_effort: z.nullable(z.enum(reasoningEfforts)),
  /** The answer columns: a name, or a name with a type. */
  outputs,
};
