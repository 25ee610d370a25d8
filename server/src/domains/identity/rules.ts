import type { LinkPurpose, User } from '@rowmill/contract';
import { after, day, hour, minute } from '../../lib/clock.ts';
import type { UserRow } from './store/users.ts';

/** A session ends after this long without a request, and at the latest this long after sign-in. */
export const sessionLifetime = { idle: 24 * hour, absolute: 7 * day } as const;
/** A session's last use is stored once a minute instead of at every request. */
export const lastSeenResolution = minute;

export const linkLifetime = {
  verify_email: 24 * hour,
  change_email: 24 * hour,
  reset_password: 30 * minute,
  invitation: 7 * day,
} as const satisfies Record<LinkPurpose, number>;

export function liveSessionBounds(now: Date): { seenAfter: Date; bornAfter: Date } {
  return {
    seenAfter: after(now, -sessionLifetime.idle),
    bornAfter: after(now, -sessionLifetime.absolute),
  };
}

/** Why a link cannot be used; null when it can. */
export function linkProblem(
  link: { used_at: Date | null; expires_at: Date } | undefined,
  now: Date,
): 'link_invalid' | 'link_used' | 'link_expired' | null {
  if (!link) return 'link_invalid';
  if (link.used_at) return 'link_used';
  return link.expires_at > now ? null : 'link_expired';
}

export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    phone: row.phone,
    email: row.email,
    email_verified_at: row.email_verified_at?.toISOString() ?? null,
    role_id: row.role_id,
    profile_photo: row.profile_photo,
  };
}
