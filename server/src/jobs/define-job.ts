import type { infer as Infer, ZodMiniType } from 'zod/mini';
import type { Context } from '../core/context.ts';

export interface JobDefinition {
  payload: ZodMiniType;
  /** When the job runs without being enqueued, in UTC. */
  cron?: string;
  run(ctx: Context, payload: never): Promise<void>;
}

/** Checks that `run` takes the payload that the schema describes. */
export function defineJob<P extends ZodMiniType>(definition: {
  payload: P;
  cron?: string;
  run(ctx: Context, payload: Infer<P>): Promise<void>;
}): JobDefinition {
  return definition;
}
