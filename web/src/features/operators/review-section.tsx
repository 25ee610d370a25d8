import { getReviews, type Review } from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { queryOf } from '../../lib/api/query.ts';
import { formatTime } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import { personPath } from '../../lib/paths.ts';
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
  const [open, setOpen] = useState<Review | null>(null);
  const { query, search, page } = useList((page) =>
    queryOptions({
      ...queryOf(getReviews, page),
      staleTime: 0,
      // A job makes the refund at the provider.
      refetchInterval: ({ state }) =>
        state.data?.reviews.some(({ refused_at }) => refused_at) ? pauseMilliseconds : false,
    }),
  );
  // A payment that another operator has decided stays in the dialog, with what is typed.
  const review =
    query.data?.reviews.find(({ payment_id }) => payment_id === open?.payment_id) ?? open;
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

interface Props {
  reviews: readonly Review[];
  onOpen: (review: Review) => void;
}

function ReviewTable({ reviews, onOpen }: Props) {
  const canDecide = useCan('decideReviews');
  return (
    <DataTable
      label={texts.tableOfReviews}
      columns={texts.reviewColumns}
      amounts={['expected']}
      rows={reviews}
      keyOf={({ payment_id }) => payment_id}
      cells={(review) => ({
        person: (
          <>
            <Link to={personPath(review.person.id)}>{review.person.name}</Link>
            <div className="muted">{review.person.email}</div>
          </>
        ),
        order: (
          <>
            {review.description}
            <div className="muted">{formatTime(review.created_at)}</div>
          </>
        ),
        expected: formatMoney(review.expected.amount_minor, review.expected.currency),
        received: describeReceived(review.came),
        mismatch: describeMismatch(review),
      })}
      actions={(review) =>
        canDecide && (
          <Button
            variant="secondary"
            aria-label={texts.decideAbout(review.person.name)}
            aria-haspopup="dialog"
            onClick={() => onOpen(review)}
          >
            {texts.decide}
          </Button>
        )
      }
    />
  );
}
