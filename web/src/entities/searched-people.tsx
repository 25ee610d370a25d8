import type { AnswerOf, getPeople } from '@rowmill/contract';
import { formatNumber } from '../lib/format.ts';
import { peopleSearched } from '../texts/entities.ts';

/** Says how far a search of people looked, when it did not look at every name. */
export function SearchedPeople({ searched }: Pick<AnswerOf<typeof getPeople>, 'searched'>) {
  return searched && <p className="muted">{peopleSearched(formatNumber(searched.people))}</p>;
}
