import { getReviews, type Review } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOf } from '../../lib/api/query.ts';
import { formatMoney, formatTime } from '../../lib/format.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import { listState, useSearchState } from '../../lib/hooks/use-search-state.ts';
import * as texts from '../../texts/operators.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Paging } from '../../ui/paging.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { describeMismatch, describeReceived } from './review-words.ts';

const limit = 20;
const pauseMilliseconds = 3000;

/** Payments that do not match their orders. The provider is asked whenever the list loads. */
export function ReviewSection() {
  const [{ search, start }, show] = useSearchState(listState);
  const [open, setOpen] = useState<string | null>(null);
  const query = useQuery({
    ...queryOf(getReviews, { search, start, limit }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // A job makes the refund at the provider.
    refetchInterval: ({ state }) =>
      state.data?.reviews.some(({ refused_at }) => refused_at) ? pauseMilliseconds : false,
  });
  const review = query.data?.reviews.find(({ payment_id }) => payment_id === open);
  return (
    <section className="card" aria-labelledby="reviews-title" aria-busy={query.isFetching}>
      <h2 id="reviews-title">{texts.inReview}</h2>
      <SearchField
        label={texts.search}
        placeholder={texts.reviewsHint}
        value={search}
        onSearch={(text) => show({ search: text })}
      />
      <Loading query={query}>
        {({ reviews, total }) =>
          total === 0 ? (
            <p role="status">{search ? texts.nothingMatches : texts.noReviews}</p>
          ) : (
            <>
              <ReviewTable reviews={reviews} onOpen={setOpen} />
              <Paging
                start={start}
                shown={reviews.length}
                total={total}
                limit={limit}
                onGo={(next) => show({ start: next })}
              />
            </>
          )
        }
      </Loading>
      {review && <ReviewDialog review={review} onClose={() => setOpen(null)} />}
    </section>
  );
}

function ReviewTable({
  reviews,
  onOpen,
}: {
  reviews: readonly Review[];
  onOpen: (paymentId: string) => void;
}) {
  return (
    <DataTable
      label={texts.tableOfReviews}
      columns={Object.values(texts.reviewColumns)}
      amounts={[texts.reviewColumns.expected, texts.reviewColumns.received]}
    >
      {reviews.map((review) => (
        <ReviewRow
          key={review.payment_id}
          review={review}
          onOpen={() => onOpen(review.payment_id)}
        />
      ))}
    </DataTable>
  );
}

function ReviewRow({ review, onOpen }: { review: Review; onOpen: () => void }) {
  const canDecide = useCan('decideReviews');
  const { person, description, created_at, expected, came } = review;
  return (
    <tr>
      <td>
        <strong>{person.name}</strong>
        <div className="muted">{person.email}</div>
      </td>
      <td data-label={texts.reviewColumns.order}>
        {description} <span className="muted">{formatTime(created_at)}</span>
      </td>
      <td className="amount" data-label={texts.reviewColumns.expected}>
        {formatMoney(expected.amount_minor, expected.currency)}
      </td>
      <td className="amount" data-label={texts.reviewColumns.received}>
        {describeReceived(came)}
      </td>
      <td data-label={texts.reviewColumns.mismatch}>{describeMismatch(review)}</td>
      <td>
        {canDecide && (
          <Button
            variant="secondary"
            aria-label={texts.decideAbout(person.name)}
            aria-haspopup="dialog"
            onClick={onOpen}
          >
            {texts.decide}
          </Button>
        )}
      </td>
    </tr>
  );
}
