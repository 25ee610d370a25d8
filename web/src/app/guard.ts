import { refusals, type User } from '@rowmill/contract';
import { paths } from '../lib/paths.ts';

interface Visit {
  path: string;
  user: Pick<User, 'id' | 'email_verified_at' | 'role_id'> | null;
  hasToken: boolean;
  hasSelectedPlan: boolean;
  navigateToBilling: boolean;
}

export type Verdict = { allow: true } | { allow: false; to: string; clearBillingFlag?: true; message?: string };

const allow: Verdict = { allow: true };
const go = (to: string): Verdict => ({ allow: false, to });

/** Doors for people who come in, closed to one who is in already. */
const entrances: readonly string[] = [paths.auth, paths.login, paths.register];

/** Where a visit may go: every rule of the spec about routes, and nothing else. */
export function guard(visit: Visit): Verdict {
  const { path, user, hasToken } = visit;
  const isVerified = user !== null && hasToken && user.email_verified_at !== null;
  if (visit.hasSelectedPlan && visit.navigateToBilling && isVerified && path !== paths.billing) {
    return { allow: false, to: paths.billing, clearBillingFlag: true };
  }
  if (path === paths.root) return user?.id ? allow : go(paths.auth);
  if (path === paths.resendLink) return user && !user.email_verified_at ? allow : go(paths.root);
  if (path === paths.auth || path.startsWith(`${paths.auth}/`))
    return isVerified && entrances.includes(path) ? go(paths.dashboard) : allow;
  if (path === paths.clients && user?.role_id === 1) return go(isVerified ? paths.dashboard : paths.root);
  return isVerified ? allow : refuseArea(user, hasToken);
}

function refuseArea(user: Visit['user'], hasToken: boolean): Verdict {
  if (user && !user.email_verified_at) return { allow: false, to: paths.root, message: refusals.verify_email.message };
  return go(user && hasToken ? paths.dashboard : paths.auth);
}
