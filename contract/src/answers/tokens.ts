import * as z from 'zod/mini';
import { count } from '../fields.ts';

/** What a provider counted. `cached` is a part of `input`, and `reasoning` a part of `output`. */
export const tokens = z.object({ input: count, cached: count, output: count, reasoning: count });
export type Tokens = z.infer<typeof tokens>;
