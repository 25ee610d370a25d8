// size: every call about accounts, which share their parts
import * as z from 'zod/mini';
import { call } from './endpoint.ts';
import {
  count,
  email,
  givenPassword,
  id,
  instant,
  newPassword,
  optionalLine,
  personName,
  phone,
  secret,
} from './fields.ts';

/** A person as the browser knows them: the fields of the specification and no others. */
export const user = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  phone: z.string(),
  email: z.string(),
  email_verified_at: z.nullable(instant),
  role_id: z.int(),
  profile_photo: z.nullable(z.string()),
});
export type User = z.infer<typeof user>;

export function nameOf({ first_name, last_name }: Pick<User, 'first_name' | 'last_name'>): string {
  return `${first_name} ${last_name}`.trim();
}

export const billingAddress = z.object({
  name: z.optional(optionalLine(120)),
  company: z.optional(optionalLine(120)),
  line1: z.optional(optionalLine(160)),
  line2: z.optional(optionalLine(160)),
  city: z.optional(optionalLine(80)),
  region: z.optional(optionalLine(80)),
  postcode: z.optional(optionalLine(20)),
  country: z.optional(
    z.string('Must be text.').check(z.regex(/^([A-Z]{2})?$/, 'Choose a country.')),
  ),
  tax_id: z.optional(optionalLine(40)),
});
export type BillingAddress = z.infer<typeof billingAddress>;

export const signedInDevice = z.object({
  id,
  /** The browser's user agent, shortened to browser and system. */
  device: z.string(),
  created_at: instant,
  last_seen_at: instant,
  current: z.boolean(),
});
export type SignedInDevice = z.infer<typeof signedInDevice>;

const names = { first_name: personName, last_name: personName };

/** A picture cropped by the browser. A data URL needs no further call and no other host. */
export const profilePhotoLimitBytes = 64 * 1024;
const profilePhoto = z
  .string('Must be text.')
  .check(
    z.maxLength(
      Math.ceil((profilePhotoLimitBytes * 4) / 3) + 64,
      'Choose a picture of at most 64 KB.',
    ),
    z.regex(
      /^(data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2})?$/,
      'Choose a PNG, JPEG or WebP picture.',
    ),
  );

export const registerUser = call({
  host: 'auth',
  path: '/api/registerUser',
  summary:
    'Requests an account. The answer is the same for a known address, which gets an email that says so.',
  who: 'anyone',
  request: z.object({
    ...names,
    email,
    phone: z.optional(phone),
    password: newPassword,
    selectedPlan: z.optional(z.nullable(z.unknown())),
  }),
});

const tokens = { app_token: z.string(), user_token: z.string() };

export const login = call({
  host: 'auth',
  path: '/api/login',
  summary: 'Signs a person in and creates a session.',
  who: 'anyone',
  request: z.object({ email, password: givenPassword }),
  answer: z.object({ user, ...tokens }),
  refusals: ['wrong_credentials', 'suspended'],
});

export const verifyLink = call({
  host: 'auth',
  path: '/api/verifyLink',
  summary:
    'Verifies the address that an email link was sent to. With `sign_in`, a new person gets a session. A link works once, for 24 hours.',
  who: 'anyone',
  request: z.object({ token: secret, sign_in: z.optional(z.boolean()) }),
  answer: z.object({ email: z.string(), session: z.nullable(z.object({ user, ...tokens })) }),
  refusals: ['link_invalid', 'link_expired', 'already_verified'],
});

export const resendLink = call({
  host: 'auth',
  path: '/api/resendLink',
  summary:
    'Emails a new verification link and revokes the old one. The answer is the same whether or not the address is known.',
  who: 'anyone',
  request: z.object({ email: z.optional(email) }),
});

export const sendResetLinkEmail = call({
  host: 'auth',
  path: '/api/sendResetLinkEmail',
  summary:
    'Emails a link to set a new password. Answer and time are the same whether or not the address is known.',
  who: 'anyone',
  request: z.object({ email }),
});

export const resetPassword = call({
  host: 'auth',
  path: '/api/resetPassword',
  summary:
    'Sets a new password with the token of an email link, and ends all sessions. A reset link works once, for 30 minutes.',
  who: 'anyone',
  request: z.object({ token: secret, password: newPassword }),
  answer: z.object({ email: z.string() }),
  refusals: ['link_invalid', 'link_expired', 'link_used'],
});

export const changePassword = call({
  host: 'auth',
  path: '/api/changePassword',
  summary: 'Changes the caller’s password, ends all other sessions and emails a notice.',
  request: z.object({ current_password: givenPassword, password: newPassword }),
  refusals: ['wrong_credentials'],
});

export const logout = call({
  host: 'auth',
  path: '/api/logout',
  summary: 'Ends this session.',
  who: 'session',
  body: [],
});

export const openEmailLink = call({
  path: '/api/{hash}',
  summary: 'Shows the invitation of an email link. The link stays valid.',
  who: 'anyone',
  request: z.object({ hash: secret }),
  answer: z.object({
    purpose: z.literal('invitation'),
    data: z.object({ first_name: z.string(), email: z.string(), invited_by: z.string() }),
  }),
  refusals: ['not_found'],
});

export const fetchUserDetail = call({
  path: '/api/fetchUserDetail',
  summary: 'The caller with billing address, plan and signed-in devices.',
  who: 'session',
  answer: z.object({
    user,
    billing_address: billingAddress,
    plan: z.nullable(z.unknown()),
    sessions: z.array(signedInDevice),
    /** A new address that is not verified yet; until then the old one stays. */
    pending_email: z.nullable(z.string()),
    /** Whether emails about batches are sent. */
    batch_emails: z.boolean(),
  }),
});

export const verifyAndUpdateUserDetails = call({
  path: '/api/verifyAndUpdateUserDetails',
  summary:
    'Changes the caller’s profile. A new email address needs the password and takes effect once it is verified.',
  request: z.object({
    first_name: z.optional(personName),
    last_name: z.optional(personName),
    phone: z.optional(phone),
    email: z.optional(email),
    profile_photo: z.optional(z.nullable(profilePhoto)),
    current_password: z.optional(givenPassword),
    batch_emails: z.optional(z.boolean()),
  }),
  answer: z.object({ user, pending_email: z.nullable(z.string()), message: z.string() }),
  refusals: ['wrong_credentials'],
});

export const revokeSession = call({
  path: '/api/revokeSession',
  summary: 'Signs out the named device, or all devices but this one.',
  request: z.object({ session_id: z.optional(id) }),
  answer: z.object({ sessions: z.array(signedInDevice) }),
  refusals: ['not_found'],
});

export const exportUserData = call({
  path: '/api/exportUserData',
  summary: 'Everything stored about the caller, as one JSON file.',
  sends: 'file',
  fileTypes: ['application/json'],
  answer: z.unknown(),
});

export const deleteUserAccount = call({
  path: '/api/deleteUserAccount',
  summary:
    'Deletes the caller’s account. Ledger entries and orders stay without a name, invoices as they were issued.',
  request: z.object({ current_password: givenPassword }),
  refusals: ['wrong_credentials', 'not_now'],
});

export const notificationKinds = [
  'batch_completed',
  'batch_paused',
  'batch_resumed',
  'payment',
  'low_balance',
] as const;

export type NotificationKind = (typeof notificationKinds)[number];

const notifications = z.object({
  notifications: z.array(
    z.object({
      id,
      kind: z.enum(notificationKinds),
      text: z.string(),
      path: z.string(),
      is_read: z.boolean(),
      created_at: instant,
    }),
  ),
  unread: count,
});

export const getNotifications = call({
  path: '/api/getNotifications',
  summary: 'The last 50 events of a person’s account, newest first.',
  request: z.object({}),
  answer: notifications,
});

export const readNotifications = call({
  path: '/api/readNotifications',
  summary: 'Marks the events as read: all of them, or those about one batch.',
  request: z.object({ batch_id: z.optional(id) }),
  answer: notifications,
});
