import { decideReview, getAuditLog, getPeople, getReviews, type Review } from '@rowmill/contract';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { InvalidFields, useForm } from '../../lib/hooks/use-form.ts';
import * as texts from '../../texts/operators.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { AskingDialog } from '../../ui/form/asking-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ReasonForm } from './reason-form.tsx';
import { describeReceived, whyNotAccepted } from './review-words.ts';

type Decision = 'accept' | 'refuse' | 'given_back';

/** One decision, with a reason that is stored and visible to the person. */
export function ReviewDialog({ review, onClose }: { review: Review; onClose: () => void }) {
  const form = useDecision(review.payment_id, onClose);
  return (
    <AskingDialog title={texts.paymentOf(review.person.name)} size="medium" onClose={onClose}>
      {(leave) => (
        <>
          <Facts review={review} />
          {!!review.came?.disputed_minor && <Notice tone="warning">{texts.disputed}</Notice>}
          <ReasonForm form={form} hasChoice={!review.refused_at}>
            {review.refused_at ? (
              <RefundProgress at={review.refused_at} problem={review.give_back_problem} />
            ) : (
              <>
                <p className="muted">{texts.whatFollows(formatNumber(review.submissions))}</p>
                {!review.can_accept && <Notice>{whyNotAccepted(review)}</Notice>}
              </>
            )}
            <div className="row">
              {review.refused_at ? (
                <Button type="submit" busy={form.busy} name="decision" value="given_back">
                  {texts.refundedOtherwise}
                </Button>
              ) : (
                <>
                  <Button
                    type="submit"
                    busy={form.busy}
                    disabled={!review.can_accept}
                    name="decision"
                    value="accept"
                  >
                    {texts.accept}
                  </Button>
                  <Button
                    type="submit"
                    variant="danger"
                    busy={form.busy}
                    name="decision"
                    value="refuse"
                  >
                    {texts.refuse}
                  </Button>
                </>
              )}
              <Button variant="secondary" onClick={leave}>
                {texts.close}
              </Button>
            </div>
          </ReasonForm>
        </>
      )}
    </AskingDialog>
  );
}

function Facts({ review }: { review: Review }) {
  const { person, description, order_id, provider, provider_ref, expected, came, differs } = review;
  const facts = [
    { name: texts.reviewFacts.person, value: texts.withEmail(person) },
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

function RefundProgress({ at, problem }: { at: string; problem: string | null }) {
  return (
    <Notice tone={problem ? 'warning' : 'info'}>
      <p>{texts.refusedAt(formatTime(at))}</p>
      {problem && <p>{texts.refundRefused(problem)}</p>}
      <p>{texts.whatNow}</p>
    </Notice>
  );
}

/** One form, two buttons: the pressed one decides. */
function useDecision(payment_id: string, onDone: () => void) {
  return useForm(
    async ({ reason = '', decision }, send) => {
      if (!reason.trim()) throw new InvalidFields({ reason: texts.reasonMissing });
      const request = { payment_id, decision: decision as Decision, reason: reason.trim() };
      const { message } = await send(decideReview, request);
      onDone();
      return message ?? texts.done;
    },
    { changes: [getReviews, getPeople, getAuditLog] },
  );
}
