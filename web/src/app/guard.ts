import { can, type User, verifyYourEmail } from '@rowmill/contract';
import { type Path, paths } from '../lib/paths.ts';

interface Visit {
  /** Null for an address that no page has. */
  path: Path | null;
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
const entrances: readonly (Path | null)[] = [paths.auth, paths.login, paths.register];
export const isEntrance = (path: Path | null) => entrances.includes(path);

/** Whether a page may be shown, or where to go instead. The route guard of the specification. */
export function guard(visit: Visit): Decision {
  const { path, user, hasToken } = visit;
  const isUnverified = user !== null && !user.email_verified_at;
  const isVerified = user !== null && hasToken && !isUnverified;
  if (visit.hasSelectedPlan && visit.navigateToBilling && isVerified) {
    return { ...(path === paths.billing ? allow : go(paths.billing)), clearBillingFlag: true };
  }
  if (path === paths.root) return user ? allow : go(paths.auth);
  if (path === paths.resendLink) return isUnverified ? allow : go(paths.root);
  if (path?.startsWith(paths.auth) && !isEntrance(path)) return allow;
  const isAreaPage = path !== null && !isEntrance(path);
  if (isUnverified)
    return isAreaPage ? { ...go(paths.root), message: verifyYourEmail } : go(paths.root);
  if (path === paths.clients && user && !can(user.role_id, 'manageClients'))
    return go(isVerified ? paths.dashboard : paths.root);
  if (isAreaPage && !isVerified) return go(paths.auth);
  if (path?.startsWith(paths.operator) && !(user && can(user.role_id, 'viewInstallation')))
    return go(paths.dashboard);
  if (isAreaPage) return allow;
  if (isVerified) return go(paths.dashboard);
  return isEntrance(path) ? allow : go(paths.auth);
}
