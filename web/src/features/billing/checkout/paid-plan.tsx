import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/billing.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { Settlement } from '../payment/settle-order.ts';

/** The plan is active: continue to the dashboard. */
export function PaidPlan({ settled: { plan, message } }: { settled: Settlement }) {
  const navigate = useNavigate();
  const name = plan?.name ?? texts.yourPlan;
  useEffect(() => {
    showToast('success', message ?? texts.inUse(name));
    void navigate(paths.dashboard, { replace: true });
  }, [message, name, navigate]);
  return <Notice tone="success">{texts.inUseOneMoment(name)}</Notice>;
}
