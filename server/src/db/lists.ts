import { countLimit } from '@rowmill/contract';
import { type RawBuilder, sql } from 'kysely';
import { containing, foldedPatterns, searched } from '../lib/search.ts';

/** Of the entries that a statement calls `found`. */
export const countOf = (page: { start: number; limit: number }): RawBuilder<number> =>
  sql`(select count(*) from (select from found limit ${countLimit(page)}) as counted)`;

/**
 * Whether the start of a text contains the search in any case. To make only A to Z small is several times faster than
 * `ilike`, which decides about other letters.
 */
export function contains(text: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  const { may, exact } = foldedPatterns(search);
  const start = startOf(text, searched.characters);
  const folded = sql<boolean>`lower(${start} collate "C") like ${exact ?? may}`;
  return exact === null ? sql`(${folded} and ${start} ilike ${containing(search)})` : folded;
}

/** Most texts are shorter, and their bytes are counted faster than their characters. */
export function startOf(text: RawBuilder<unknown>, characters: number): RawBuilder<string> {
  const length = sql.lit(characters);
  return sql`case when octet_length(${text}) <= ${length} then ${text} else left(${text}, ${length}) end`;
}
