import type { infer as Infer, ZodMiniType } from 'zod/mini';
import * as z from 'zod/mini';
import type { Context } from '../core/context.ts';

export interface JobDefinition {
  payload: ZodMiniType;
  /** When the job runs without being enqueued, in UTC. */
  cron?: string;
  /** An email waits for a day until the mail server works again; other jobs retry for minutes. */
  isEmail?: boolean;
  run(ctx: Context, payload: never): Promise<void>;
}

const nothing = z.object({});

/** Checks that `run` takes the payload that the schema describes; scheduled jobs have none. */
export function defineJob<P extends ZodMiniType = typeof nothing>(definition: {
  payload?: P;
  cron?: string;
  isEmail?: boolean;
  run(ctx: Context, payload: Infer<P>): Promise<void>;
}): JobDefinition {
  return { payload: nothing, ...definition };
}
