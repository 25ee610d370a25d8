import type { OrderSummary } from '@rowmill/contract';
import { batchToResume } from '../../../entities/batch/resume-batch.ts';
import { formatNumber } from '../../../lib/format.ts';
import { batchPath, orderPath, paths } from '../../../lib/paths.ts';
import { showsCredits, useIdentity } from '../../../lib/session.ts';
import * as texts from '../../../texts/billing.ts';
import { submissionCount } from '../../../texts/entities.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import type { Settlement } from '../payment/settle-order.ts';
import { StepSection } from '../payment/step-section.tsx';

interface Props {
  settled: Settlement;
  order: OrderSummary;
  userId: string;
}

/** Purchase complete: the new balance, which the Admin view does not show, and the way back. */
export function PaidCredits({ settled, order, userId }: Props) {
  const batch = batchToResume.of(userId);
  const withBalance = showsCredits(useIdentity());
  return (
    <StepSection title={texts.thankYou}>
      <Notice tone="success">
        <p>{texts.added(formatNumber(settled.submissions))}</p>
        {settled.repaid > 0 && <p>{texts.paidDebt(formatNumber(settled.repaid))}</p>}
        {withBalance && (
          <p>
            <RichText
              text={texts.youNowHave}
              parts={{
                balance: <strong>{submissionCount(formatNumber(settled.creditsAvailable))}</strong>,
              }}
            />
          </p>
        )}
        {settled.debt > 0 && <p>{texts.stillOwed(formatNumber(settled.debt))}</p>}
      </Notice>
      <div className="row">
        {batch ? (
          <ButtonLink to={batchPath(batch)} onClick={batchToResume.forget}>
            {texts.backToBatch}
          </ButtonLink>
        ) : (
          <ButtonLink to={paths.ask}>{texts.createRequest}</ButtonLink>
        )}
        <ButtonLink to={orderPath(order.order_id)} variant="secondary">
          {texts.seeInvoice}
        </ButtonLink>
      </div>
    </StepSection>
  );
}
