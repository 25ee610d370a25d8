import { countLimit } from '@rowmill/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { containing, foldedPatterns, searched } from '../lib/search.ts';
import type { Schema } from './schema.ts';

export interface Page {
  start: number;
  limit: number;
}

/** A page of what a search finds: with an empty one, of everything. */
export interface SearchedPage extends Page {
  search: string;
}

/** How many entries the statement's `found` has, up to the count limit. */
export const countOf = (page: Page): RawBuilder<number> =>
  sql`(select count(*) from (select from found limit ${countLimit(page)}) as counted)`;

type People<Found> = SelectQueryBuilder<Schema, 'users', Found>;

const newestFirst = <Found>(people: People<Found>) =>
  people.orderBy('created_at', 'desc').orderBy('id', 'desc');

/** Of the newest people, those whose name contains the search. */
export const named = <Found>(people: People<Found>, search: string) => {
  const oldest = newestFirst(people)
    .clearSelect()
    .select('created_at')
    .offset(searched.people - 1);
  return people
    .where(containsPerson(search))
    .where('created_at', '>=', sql<Date>`coalesce((${oldest.limit(1)}), '-infinity')`);
};

/** How many names were searched; null when all were. */
export async function boundOfSearch<Found>(people: People<Found>) {
  const beyond = await newestFirst(people).offset(searched.people).limit(1).executeTakeFirst();
  return beyond ? { people: searched.people } : null;
}

interface OrderedPage extends Page {
  /** The newest first, unless it says otherwise. */
  order?: RawBuilder<unknown>;
}

const newest = sql`created_at desc, id desc`;

/** People from a page on until counting ends. */
export const fromPage = <Found>(
  people: People<Found>,
  { start, limit, order = newest }: OrderedPage,
) =>
  people
    .orderBy(order)
    .offset(start)
    .limit(countLimit({ start, limit }) - start);

/** The ids of a page that starts with `found`. A plain subquery may be read once per person. */
export const pageFrom = ({
  limit,
  order = newest,
}: Omit<OrderedPage, 'start'>): RawBuilder<string> =>
  sql`any (array(select id from found order by ${order} limit ${limit}))`;

/** The total when `found` begins with the page, so that one walk gives both. */
export const totalFrom = ({ start }: { start: number }): RawBuilder<number> =>
  sql`${start}::int4 + (select count(*) from found)`;

/** A page of rows that each have the total. Beyond the end, the first row of the list has it. */
export async function withTotal<P extends Page, Row>(
  page: P,
  read: (page: P) => Promise<(Row & { total: number })[]>,
) {
  const rows = await read(page);
  const isBeyond = rows.length === 0 && page.start > 0;
  const [first] = isBeyond ? await read({ ...page, start: 0, limit: 1 }) : rows;
  return { rows, total: first?.total ?? 0 };
}

/** Where a page of a counted list is read: one beyond the middle is read from the end. */
export function nearerEnd({ start, limit, total }: Page & { total: number }) {
  const size = Math.max(0, Math.min(limit, total - start));
  const after = Math.max(0, total - start - size);
  const isFromEnd = after < start;
  return { size, isFromEnd, offset: isFromEnd ? after : start };
}

/** Whether a person's name or address contains the search; `users` has both in lower case. */
const containsPerson = (search: string): RawBuilder<boolean> =>
  contains(sql`(first_name || ' ' || last_name || ' ' || email)`, search, sql`search_text`);

/** As one parameter, so that there may be any number of ids. */
export const isOneOf = (column: string, ids: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} = any(${sql.val(ids)}::text[])`;

/**
 * The start of a text with A to Z in lower case, several times faster than `ilike`. An index
 * contains it for names of batches.
 */
export const folded = (text: RawBuilder<unknown>): RawBuilder<string> =>
  sql`lower(${startOf(text, searched.characters)} collate "C")`;

/** Whether the start of a text contains the search. `small`: its `folded`, if already selected. */
export function contains(
  text: RawBuilder<unknown>,
  search: string,
  small: RawBuilder<unknown> = folded(text),
): RawBuilder<boolean> {
  const { may, isExact } = foldedPatterns(search);
  // Twice as fast as `like` where many texts begin like the search.
  if (isExact) return sql`strpos(${small}, ${search.toLowerCase()}) > 0`;
  const whole = startOf(text, searched.characters);
  return sql`(${small} like ${may} and ${whole} ilike ${containing(search)})`;
}

/** Most texts are shorter, and their bytes are counted faster than their characters. */
export function startOf(text: RawBuilder<unknown>, characters: number): RawBuilder<string> {
  const length = sql.lit(characters);
  return sql`case when octet_length(${text}) <= ${length} then ${text} else left(${text}, ${length}) end`;
}
