import { describe, expect, it } from 'vitest';
import { linkProblem, liveSessionBounds, presentUser, sessionLifetime } from './rules.ts';
import type { UserRow } from './store/users.ts';

const now = new Date('2026-03-01T12:00:00Z');
const earlier = new Date('2026-03-01T11:00:00Z');
const later = new Date('2026-03-01T13:00:00Z');

describe('a link', () => {
  it.each([
    ['that does not exist is invalid', undefined, 'link_invalid'],
    ['that is unused and current works', { used_at: null, expires_at: later }, null],
    ['that expires now has expired', { used_at: null, expires_at: now }, 'link_expired'],
    ['that is past its time has expired', { used_at: null, expires_at: earlier }, 'link_expired'],
    ['that was used is reported so', { used_at: earlier, expires_at: later }, 'link_used'],
    ['that was used and has expired too', { used_at: earlier, expires_at: earlier }, 'link_used'],
  ])('%s', (_, link, problem) => {
    expect(linkProblem(link, now)).toBe(problem);
  });
});

it('bounds sessions by their last use and their age', () => {
  const { seenAfter, bornAfter } = liveSessionBounds(now);
  expect(now.getTime() - seenAfter.getTime()).toBe(sessionLifetime.idle);
  expect(now.getTime() - bornAfter.getTime()).toBe(sessionLifetime.absolute);
});

describe('presenting a user', () => {
  const row: UserRow = {
    id: 'clara',
    email: 'clara@example.test',
    pending_email: 'new@example.test',
    email_verified_at: now,
    password_hash: '$argon2id$',
    first_name: 'Clara',
    last_name: 'Quayle',
    phone: '',
    role_id: 1,
    admin_id: 'adam',
    profile_photo: null,
    created_at: now,
    last_seen_at: now,
    suspended_at: null,
    deletion_began_at: null,
    deleted_at: null,
    batch_emails: true,
    search_text: '',
  };

  it('shows the fields of the specification and no others', () => {
    expect(presentUser(row)).toEqual({
      id: 'clara',
      email: 'clara@example.test',
      email_verified_at: '2026-03-01T12:00:00.000Z',
      first_name: 'Clara',
      last_name: 'Quayle',
      phone: '',
      role_id: 1,
      profile_photo: null,
    });
  });

  it('shows an unverified address as null', () => {
    expect(presentUser({ ...row, email_verified_at: null }).email_verified_at).toBeNull();
  });
});
