import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { Settlement } from '../settle-order.ts';

/** The plan is in use: the person is taken to where he works. */
export function PaidPlan({ settled: { plan } }: { settled: Settlement }) {
  const navigate = useNavigate();
  const name = plan?.name ?? 'Your plan';
  useEffect(() => {
    showToast('success', `${name} is paid and in use.`);
    void navigate(paths.dashboard, { replace: true });
  }, [name, navigate]);
  return <Notice tone="success">{name} is paid and in use. One moment…</Notice>;
}
