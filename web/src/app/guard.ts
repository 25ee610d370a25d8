import { can, refusals, type User } from '@rowmill/contract';
import { paths } from '../lib/paths.ts';

interface Visit {
  path: string;
  user: Pick<User, 'id' | 'email_verified_at' | 'role_id'> | null;
  hasToken: boolean;
  hasSelectedPlan: boolean;
  navigateToBilling: boolean;
}

type Decision =
  | { allow: true; clearBillingFlag?: true }
  | { allow: false; to: string; clearBillingFlag?: true; message?: string };

const allow = { allow: true } as const;
const go = (to: string) => ({ allow: false, to }) as const;

/** Pages for signing in, closed to people who are signed in. */
const entrances: readonly string[] = [paths.auth, paths.login, paths.register];

/** Whether a page may be shown, or where to go instead. The route guard of the specification. */
export function guard(visit: Visit): Decision {
  const { path, user, hasToken } = visit;
  const isVerified = user !== null && hasToken && user.email_verified_at !== null;
  if (visit.hasSelectedPlan && visit.navigateToBilling && isVerified) {
    return { ...(path === paths.billing ? allow : go(paths.billing)), clearBillingFlag: true };
  }
  if (path === paths.root) return user?.id ? allow : go(paths.auth);
  if (path === paths.resendLink) return user && !user.email_verified_at ? allow : go(paths.root);
  if (isUnder(paths.auth, path))
    return isVerified && entrances.includes(path) ? go(paths.dashboard) : allow;
  if (isUnder(paths.clients, path) && user && !can(user.role_id, 'manageClients'))
    return go(isVerified ? paths.dashboard : paths.root);
  if (isVerified) return allow;
  if (user && !user.email_verified_at)
    return { ...go(paths.root), message: refusals.verify_email.message };
  return go(paths.auth);
}

/** The router treats `/Dashboard`, `/d%61shboard` and `//dashboard/` as one page, so the guard must too. */
export function normalisePath(pathname: string): string {
  const path = decoded(pathname).toLowerCase().replace(/\/+/g, '/');
  return path.replace(/(.)\/$/, '$1');
}

export function isUnder(parent: string, path: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
