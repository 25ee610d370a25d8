import { decideReview, getAuditLog, getPeople, getReviews, type Review } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { invalidate } from '../../lib/api/query.ts';
import { errorMessage } from '../../lib/api/refusal.ts';
import { formatMoney, formatNumber, formatTime } from '../../lib/format.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/operators.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { describeReceived } from './review-words.ts';

type Decision = 'accept' | 'refuse' | 'given_back';

/** One decision, with a reason that is stored and visible to the person. */
export function ReviewDialog({ review, onClose }: { review: Review; onClose: () => void }) {
  const { onSubmit, pressed, problem, error, busy } = useDecision(review.payment_id, onClose);
  return (
    <Dialog title={texts.paymentOf(review.person.name)} className="client-dialog" onClose={onClose}>
      <Facts review={review} />
      <form className="stack" onSubmit={onSubmit} noValidate>
        {error && <Notice tone="error">{error}</Notice>}
        <TextField
          label={texts.reason}
          name="reason"
          autoComplete="off"
          maxLength={200}
          problem={problem}
          hint={texts.reasonHint}
        />
        {review.refused_at ? (
          <GoingBack at={review.refused_at} problem={review.give_back_problem} />
        ) : (
          <>
            <p className="muted">{texts.whatFollows(formatNumber(review.submissions))}</p>
            {!review.can_accept && <Notice>{whyNotAccepted(review)}</Notice>}
          </>
        )}
        <div className="row">
          {review.refused_at ? (
            <Button type="submit" busy={busy} onClick={pressed('given_back')}>
              {texts.givenBackOtherwise}
            </Button>
          ) : (
            <>
              <Button
                type="submit"
                busy={busy}
                disabled={!review.can_accept}
                onClick={pressed('accept')}
              >
                {texts.accept}
              </Button>
              <Button type="submit" variant="danger" busy={busy} onClick={pressed('refuse')}>
                {texts.refuse}
              </Button>
            </>
          )}
          <Button variant="secondary" onClick={onClose}>
            {texts.close}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Facts({ review }: { review: Review }) {
  const { person, description, order_id, provider, provider_ref, expected, came, differs } = review;
  const facts = [
    { name: texts.reviewFacts.customer, value: texts.withEmail(person) },
    {
      name: texts.reviewFacts.order,
      value: texts.orderWithId({ order: description, id: order_id }),
    },
    {
      name: texts.reviewFacts.expected,
      value: formatMoney(expected.amount_minor, expected.currency),
    },
    { name: texts.reviewFacts.received, value: describeReceived(came) },
    { name: texts.reviewFacts.mismatch, value: differs.join(', ') || texts.nothingDiffers },
    { name: texts.reviewFacts[provider], value: provider_ref ?? texts.notAtProvider },
  ];
  return <FactList facts={facts} />;
}

function GoingBack({ at, problem }: { at: string; problem: string | null }) {
  return (
    <Notice tone={problem ? 'warning' : 'info'}>
      <p>{texts.refusedAt(formatTime(at))}</p>
      {problem && <p>{texts.notGivenBack(problem)}</p>}
      <p>{texts.whatNow}</p>
    </Notice>
  );
}

function whyNotAccepted({ differs }: Review): string {
  if (differs.includes('paid twice')) return texts.paidTwice;
  return texts.notPaid;
}

/** One form, two buttons: the pressed one decides. */
function useDecision(payment_id: string, onDone: () => void) {
  const chosen = useRef<Decision>('refuse');
  const [problem, setProblem] = useState<string>();
  const decision = useMutation({
    mutationFn: (reason: string) =>
      call(decideReview, { payment_id, decision: chosen.current, reason }),
    onSuccess: ({ message }) => {
      showToast('success', message ?? texts.done);
      onDone();
    },
    onSettled: () => {
      for (const endpoint of [getReviews, getPeople, getAuditLog]) void invalidate(endpoint);
    },
  });
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim();
    setProblem(reason ? undefined : texts.reasonMissing);
    if (reason) decision.mutate(reason);
  }
  const pressed = (wanted: Decision) => () => {
    chosen.current = wanted;
  };
  return {
    onSubmit,
    pressed,
    problem,
    error: decision.error && errorMessage(decision.error),
    busy: decision.isPending,
  };
}
