import { sql } from 'kysely';
import type { EventHint } from '../../../db/billing-tables.ts';
import type { Db } from '../../../db/transaction.ts';

interface EventName {
  provider: string;
  eventId: string;
}

/** False if the event is stored already. */
export async function insertEvent(
  db: Db,
  {
    provider,
    eventId,
    kind,
    hint,
    now,
    isDone,
  }: EventName & { kind: string; hint: EventHint; now: Date; isDone: boolean },
): Promise<boolean> {
  const inserted = await db
    .insertInto('provider_events')
    .values({
      provider,
      event_id: eventId,
      kind,
      hint: JSON.stringify(hint),
      received_at: now,
      processed_at: isDone ? now : null,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findOpenEvent(db: Db, { provider, eventId }: EventName) {
  return db
    .selectFrom('provider_events')
    .select(['kind', 'hint', 'received_at'])
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .where('processed_at', 'is', null)
    .executeTakeFirst();
}

/** Any of them, so that events that always fail do not keep the others waiting. */
export async function listOpenEvents(
  db: Db,
  { provider, before, limit }: { provider: string; before: Date; limit: number },
): Promise<EventName[]> {
  return db
    .selectFrom('provider_events')
    .select(['provider', 'event_id as eventId'])
    .where('provider', '=', provider)
    .where('processed_at', 'is', null)
    .where('received_at', '<', before)
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
}

export async function closeEvent(
  db: Db,
  { provider, eventId, now }: EventName & { now: Date },
): Promise<void> {
  await db
    .updateTable('provider_events')
    .set({ processed_at: now })
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .execute();
}

export async function deleteEventsBefore(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('provider_events')
    .where('received_at', '<', before)
    .where('processed_at', 'is not', null)
    .execute();
}
