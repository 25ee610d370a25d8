import { can, getUserPlan } from '@rowmill/contract';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../lib/api/api-client.ts';
import { errorMessage } from '../lib/api/refusal.ts';
import { paths } from '../lib/paths.ts';
import { storage } from '../lib/storage.ts';
import { showToast } from '../lib/toasts.ts';
import { Opening } from './opening.tsx';

/** Shows the logo while it decides where to redirect. */
export function RootPage() {
  const navigate = useNavigate();
  useEffect(() => {
    let isLeft = false;
    void decide().then((path) => {
      if (!isLeft) void navigate(path, { replace: true });
    });
    return () => {
      isLeft = true;
    };
  }, [navigate]);
  return <Opening />;
}

async function decide(): Promise<string> {
  const user = storage.read('currentUser');
  if (!user) return paths.auth;
  if (!user.email_verified_at) return paths.resendLink;
  if (can(user.role_id, 'useWithoutPlan') || storage.read('userPlan')) return paths.dashboard;
  try {
    const { status, plan, billing_address, message } = await call(getUserPlan, {
      user_id: user.id,
    });
    if (!status || !plan) {
      showToast('error', message);
      return paths.plans;
    }
    storage.write('userPlan', plan);
    storage.write('billingAddress', billing_address);
    return paths.dashboard;
  } catch (error) {
    showToast('error', errorMessage(error));
    return storage.read('currentUser') ? paths.plans : paths.auth;
  }
}
