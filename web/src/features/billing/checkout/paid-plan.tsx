import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { formatDay } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/billing.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { Settlement } from '../payment/settle-order.ts';

/** The plan is active, or starts when another ends: continue to the dashboard. */
export function PaidPlan({ settled: { plan, currentPlan } }: { settled: Settlement }) {
  const navigate = useNavigate();
  const name = plan?.name ?? texts.yourPlan;
  const isNext = !!plan && !!currentPlan?.ends_at && plan.started_at >= currentPlan.ends_at;
  const message = isNext ? texts.startsOn(name, formatDay(plan.started_at)) : texts.inUse(name);
  useEffect(() => {
    showToast('success', message);
    void navigate(paths.dashboard, { replace: true });
  }, [message, navigate]);
  return <Notice tone="success">{message}</Notice>;
}
