import type { infer as Infer, ZodMiniType } from 'zod/mini';
import type { Context } from '../core/context.ts';

export interface JobDefinition {
  payload: ZodMiniType;
  /** When it runs by itself, in UTC. */
  cron?: string;
  run(ctx: Context, payload: never): Promise<void>;
}

/** Ties the payload of a job to the function that takes it. */
export function defineJob<P extends ZodMiniType>(definition: {
  payload: P;
  cron?: string;
  run(ctx: Context, payload: Infer<P>): Promise<void>;
}): JobDefinition {
  return definition;
}
