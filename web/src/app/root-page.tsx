import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { findOwnPlan, lacksPlan } from '../entities/plan/find-own-plan.ts';
import { errorMessage } from '../lib/api/refusal.ts';
import { arrivingWith } from '../lib/hooks/use-arrival-message.ts';
import { paths } from '../lib/paths.ts';
import { takePage } from '../lib/return-visit.ts';
import { storage } from '../lib/storage.ts';
import { showToast } from '../lib/toasts.ts';
import { Opening } from './opening.tsx';

/** Shows the logo while it decides where to redirect. */
export function RootPage() {
  const navigate = useNavigate();
  // New when a page sends the person back to the root, which then decides again.
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: decides once per arrival
  useEffect(() => {
    let isLeft = false;
    void decide().then(({ path, reason }) => {
      if (!isLeft) void navigate(path, { replace: true, ...(reason && arrivingWith(reason)) });
    });
    return () => {
      isLeft = true;
    };
  }, [navigate, key]);
  return <Opening />;
}

interface Destination {
  path: string;
  /** A message for the page, when it is not the dashboard. */
  reason?: string;
}

async function decide(): Promise<Destination> {
  const user = storage.read('currentUser');
  if (!user) return { path: paths.auth };
  if (!user.email_verified_at) return { path: paths.resendLink };
  if (lacksPlan(user)) {
    try {
      const { reason } = await findOwnPlan(user);
      if (reason !== null) return refer(reason);
    } catch (error) {
      return refer(errorMessage(error));
    }
  }
  return { path: takePage(user.id) ?? paths.dashboard };
}

/** To the plans, or to the sign-in page when the look-up has ended the session. */
function refer(reason: string): Destination {
  showToast('error', reason);
  return { path: storage.read('currentUser') ? paths.plans : paths.auth, reason };
}
