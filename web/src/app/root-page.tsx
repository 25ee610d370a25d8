import { can, getPlans, getUserPlan } from '@rowmill/contract';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { chosenPlan } from '../entities/plan/chosen-plan.ts';
import { startFreePlan } from '../entities/plan/free-plan.ts';
import { call } from '../lib/api/api-client.ts';
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
  if (!can(user.role_id, 'useWithoutPlan') && !storage.read('userPlan')) {
    try {
      const reason = await findPlan(user.id);
      if (reason !== null) return refer(reason);
    } catch (error) {
      return refer(errorMessage(error));
    }
  }
  return { path: takePage(user.id) ?? paths.dashboard };
}

/**
 * Stores the person's plan and billing address. A person who has not had one gets the free plan,
 * unless they chose another. Without a plan it returns the server's message.
 */
async function findPlan(user_id: string): Promise<string | null> {
  const { status, plan, billing_address, had_plan, message } = await call(getUserPlan, { user_id });
  storage.write('billingAddress', billing_address);
  if (status && plan) {
    storage.write('userPlan', plan);
    return null;
  }
  const chosen = chosenPlan() ?? (had_plan === false ? await findFreePlan() : null);
  if (chosen?.price_minor !== 0) return message;
  await startFreePlan(chosen.id);
  return null;
}

async function findFreePlan() {
  const { plans } = await call(getPlans, {});
  return plans.find(({ price_minor }) => price_minor === 0) ?? null;
}

/** To the plans, or to the sign-in page when the look-up has ended the session. */
function refer(reason: string): Destination {
  showToast('error', reason);
  return { path: storage.read('currentUser') ? paths.plans : paths.auth, reason };
}
