import type { OrderSummary } from '@rowmill/contract';
import { Link } from 'react-router';
import { formatNumber } from '../../../lib/format.ts';
import { batchPath, orderPath, paths } from '../../../lib/paths.ts';
import { forgetBatch, rememberedBatch } from '../../../lib/resume-batch.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { Settlement } from '../settle-order.ts';
import { StepSection } from './step-section.tsx';

interface Props {
  settled: Settlement;
  order: OrderSummary;
  userId: string;
}

/** The purchase is done: what there is now, and the way to what it was for. */
export function PaidCredits({ settled, order, userId }: Props) {
  const batch = rememberedBatch(userId);
  return (
    <StepSection title="Thank you, your order is paid">
      <Notice tone="success">
        <p>{formatNumber(settled.submissions)} submissions were added.</p>
        <p>
          You now have <strong>{formatNumber(settled.creditsAvailable)} submissions</strong>.
        </p>
      </Notice>
      <div className="row">
        {batch ? (
          <Link to={batchPath(batch)} className="button primary" onClick={forgetBatch}>
            Back to your batch
          </Link>
        ) : (
          <Link to={paths.ask} className="button primary">
            Create a Request
          </Link>
        )}
        <Link to={orderPath(order.order_id)} className="button secondary">
          See the invoice
        </Link>
      </div>
    </StepSection>
  );
}
