import type { LinkPurpose, User } from '@rowmill/contract';
import { after, day, hour, minute } from '../../lib/clock.ts';
import type { UserRow } from './store/users.ts';

/** How long a session lives unused, and at most. */
export const sessionLifetime = { idle: 24 * hour, absolute: 7 * day } as const;
/** Being seen is written down at most this often: once a minute instead of at every request. */
export const seenResolution = minute;

export const linkLifetime = {
  verify_email: 24 * hour,
  change_email: 24 * hour,
  reset_password: 30 * minute,
  invitation: 7 * day,
} as const satisfies Partial<Record<LinkPurpose, number>>;
/** Expired links are kept this long, so that a late click is told why it fails. */
export const expiredLinkMemory = 30 * day;

export function liveSessionBounds(now: Date): { seenAfter: Date; bornAfter: Date } {
  return {
    seenAfter: after(now, -sessionLifetime.idle),
    bornAfter: after(now, -sessionLifetime.absolute),
  };
}

/** Why a link that could not be taken is refused. */
export function judgeLink(
  link: { used_at: Date | null; expires_at: Date } | undefined,
): 'link_invalid' | 'link_used' | 'link_expired' {
  if (!link) return 'link_invalid';
  return link.used_at ? 'link_used' : 'link_expired';
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

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** Names a device as its owner would, from what the browser says of itself. */
export function describeDevice(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}

const pictureMarks = {
  png: (bytes: Buffer) =>
    bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  jpeg: (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  webp: (bytes: Buffer) =>
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' &&
    bytes.subarray(8, 12).toString('latin1') === 'WEBP',
} as const;

/** Whether the bytes of a data address are the picture that it claims to be. */
export function isPicture(dataAddress: string): boolean {
  const [, kind, encoded] = /^data:image\/(png|jpeg|webp);base64,(.+)$/.exec(dataAddress) ?? [];
  if (!kind || !encoded) return false;
  return pictureMarks[kind as keyof typeof pictureMarks](Buffer.from(encoded, 'base64'));
}
