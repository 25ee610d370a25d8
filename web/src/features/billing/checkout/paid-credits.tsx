import type { OrderSummary } from '@rowmill/contract';
import { Link } from 'react-router';
import { forgetBatch, rememberedBatch } from '../../../entities/batch/resume-batch.ts';
import { formatNumber } from '../../../lib/format.ts';
import { batchPath, orderPath, paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/billing.ts';
import { Notice } from '../../../ui/notice.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import type { Settlement } from '../payment/settle-order.ts';
import { StepSection } from '../payment/step-section.tsx';

interface Props {
  settled: Settlement;
  order: OrderSummary;
  userId: string;
}

/** Purchase complete: the new balance and the way back. */
export function PaidCredits({ settled, order, userId }: Props) {
  const batch = rememberedBatch(userId);
  return (
    <StepSection title={texts.thankYou}>
      <Notice tone="success">
        <p>{texts.added(formatNumber(settled.submissions))}</p>
        <p>
          <RichText
            text={texts.youNowHave}
            parts={{
              balance: <strong>{texts.countOf(formatNumber(settled.creditsAvailable))}</strong>,
            }}
          />
        </p>
      </Notice>
      <div className="row">
        {batch ? (
          <Link to={batchPath(batch)} className="button primary" onClick={forgetBatch}>
            {texts.backToBatch}
          </Link>
        ) : (
          <Link to={paths.ask} className="button primary">
            {texts.createRequest}
          </Link>
        )}
        <Link to={orderPath(order.order_id)} className="button secondary">
          {texts.seeInvoice}
        </Link>
      </div>
    </StepSection>
  );
}
