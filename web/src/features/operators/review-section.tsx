import { getReviews, type Review } from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOf } from '../../lib/api/query.ts';
import { formatTime } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import * as texts from '../../texts/operators.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { ListSection } from '../../ui/list/list-section.tsx';
import { Paging } from '../../ui/list/paging.tsx';
import { useList } from '../../ui/list/use-list.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { describeMismatch, describeReceived } from './review-words.ts';

const pauseMilliseconds = 3000;

/** Payments that do not match their orders. The provider is asked whenever the list loads. */
export function ReviewSection() {
  const [open, setOpen] = useState<string | null>(null);
  const { query, search, page } = useList((page) =>
    queryOptions({
      ...queryOf(getReviews, page),
      staleTime: 0,
      // A job makes the refund at the provider.
      refetchInterval: ({ state }) =>
        state.data?.reviews.some(({ refused_at }) => refused_at) ? pauseMilliseconds : false,
    }),
  );
  const review = query.data?.reviews.find(({ payment_id }) => payment_id === open);
  return (
    <>
      <ListSection
        title={texts.inReview}
        query={query}
        tools={<SearchField label={texts.search} placeholder={texts.reviewsHint} {...search} />}
      >
        {({ reviews, total }) =>
          total === 0 ? (
            <p role="status">{search.value ? texts.nothingMatches : texts.noReviews}</p>
          ) : (
            <>
              <ReviewTable reviews={reviews} onOpen={setOpen} />
              <Paging {...page} shown={reviews.length} total={total} />
            </>
          )
        }
      </ListSection>
      {review && <ReviewDialog review={review} onClose={() => setOpen(null)} />}
    </>
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
