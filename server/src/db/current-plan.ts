import { sql } from 'kysely';

/**
 * The current plan of a person is the first of these in this order: the first to end, or the last
 * to start of those without an end. A plan that was to follow one that is refunded or disputed is
 * current at once.
 */
export const mayBeCurrent = (now: Date) =>
  sql<boolean>`(user_plans.ends_at is null or user_plans.ends_at > ${now}) and user_plans.revoked_at is null`;
export const currentFirst = sql`user_plans.ends_at asc nulls last, user_plans.started_at desc`;

/** The name of the current plan of `of`, a column with the id of a person. */
export const currentPlanName = (of: string, now: Date) =>
  sql<string | null>`(
    select terms ->> 'name' from user_plans
    where user_plans.user_id = ${sql.ref(of)} and ${mayBeCurrent(now)}
    order by ${currentFirst} limit 1)`;
