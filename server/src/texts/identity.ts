/** By refusal code. */
export const refused = {
  wrong_credentials: {
    message: 'Your current password is wrong. Try again.',
    fields: { current_password: 'This is not your current password.' },
  },
  suspended: {
    client: 'This client is suspended. You can act for them again when the suspension is lifted.',
  },
  invalid_input: {
    email: 'Enter an email address.',
    photo: 'Choose a PNG, JPEG or WebP picture.',
    currentPassword: 'Enter your password to change the address.',
    samePassword: 'This is your current password. Choose another.',
    commonPassword: 'This is one of the most common passwords. Choose another.',
    repetitivePassword: 'This repeats the same characters. Choose another password.',
    personalPassword:
      'This is made of your name, your address or the product’s name. Choose another password.',
  },
};

/** Also for a misspelt call. */
export const noSuchInvitation =
  'This is no open invitation, and no call. The list of calls is at /openapi.json.';
export const registered = (email: string) =>
  `Check the inbox of ${email}. We have sent you a link to continue.`;
export const verificationSent =
  'If this address is waiting to be verified, a new link is on its way.';
export const addressVerified = 'Thank you. Your email address is verified.';
export const resetSent =
  'If this address has an account, a link to set a new password is on its way.';
export const newPasswordSet = 'Your new password is set. Sign in with it.';
export const passwordChanged = 'Your password has changed. Your other devices are signed out.';
export const signedOut = 'You are signed out.';
export const devicesSignedOut = (count: number) =>
  count === 1 ? 'One device is signed out.' : `${count} devices are signed out.`;
export const profileSaved = 'Profile saved.';
export const photoSaved = 'Photo saved.';
export const photoRemoved = 'Photo removed.';
export const addressChangeCancelled = (email: string) =>
  `Change cancelled. You still sign in with ${email}.`;
export const addressPending = (email: string) =>
  `Saved. To start using ${email}, open the link we have sent there. An earlier link no longer works.`;

/** The reason that an admin and the person find in their entries. */
export const madeOperator = 'Made an operator by command';

interface Person {
  first_name: string;
  email: string;
}

interface Operator {
  product: string;
  email: string;
}

const notYou = 'If this was not you, you can ignore this email.';

export function verificationEmail(person: Person, url: string, { product }: Operator) {
  return {
    subject: `Please verify your email address for ${product}`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'Please open this link to verify your email address. It works once, for 24 hours.',
    ],
    action: { label: 'Verify my address', url },
    reason: `Someone registered at ${product} with ${person.email}. ${notYou}`,
  };
}

export function registeredBeforeEmail(person: Person, url: string, { product }: Operator) {
  return {
    subject: `Finish your registration at ${product}`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'Someone registered with this address before, perhaps you, and never verified it. Earlier links to verify it no longer work.',
      'Choose a password to finish. Only this password will work, and all devices are signed out. The link works once, for 30 minutes.',
    ],
    action: { label: 'Choose a password', url },
    reason: `Someone registered at ${product} with ${person.email}. ${notYou}`,
  };
}

export function knownAddressEmail(person: Person, publicUrl: string, { product }: Operator) {
  return {
    subject: `You already have an account at ${product}`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'Someone just tried to register with your address, but you already have an account. Nothing has changed.',
      'You can sign in with your password. If you have forgotten it, set a new one from the sign-in page.',
    ],
    action: { label: 'Sign in', url: `${publicUrl}/auth/login` },
    reason: `We sent this to ${person.email} because the address was entered in the registration form. ${notYou}`,
  };
}

export function passwordResetEmail(person: Person, url: string) {
  return {
    subject: 'Set a new password',
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'Use this link to set a new password. It works once, for 30 minutes.',
      'Setting a new password signs out all your devices.',
    ],
    action: { label: 'Set a new password', url },
    reason: `Someone asked for this link for ${person.email}. ${notYou} Your password stays the same.`,
  };
}

export function passwordResetByAdminEmail(person: Person, url: string, from: string) {
  return {
    subject: 'Please set a new password',
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      `${from} asked for a new password for your account. All your devices are signed out.`,
      'Use this link to choose the password yourself; no one else sees it. It works once, for 30 minutes.',
    ],
    action: { label: 'Set a new password', url },
    reason: `We sent this to ${person.email} because ${from} manages this account.`,
  };
}

export function invitationEmail(
  person: Person,
  url: string,
  { from, product }: { from: string; product: string },
) {
  return {
    subject: `${from} invites you to ${product}`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      `${from} created an account for you at ${product}, where a chat AI answers every row of your spreadsheets.`,
      'Set a password to start. The link works once, for seven days.',
    ],
    action: { label: 'Accept the invitation', url },
    reason: `${from} entered your address ${person.email}. If you do not want an account, you can ignore this email.`,
  };
}

export function addressChangeEmail(person: Person, url: string) {
  return {
    subject: 'Please verify your new email address',
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'Please open this link to use this address from now on. Until then, your old address stays in use.',
    ],
    action: { label: 'Use this address', url },
    reason: `We received a request to change the email address ${person.email} to this one. ${notYou}`,
  };
}

export function addressChangedEmail(person: Person, { email }: Operator) {
  return {
    subject: 'Your email address was changed',
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'Your account now uses another email address. This is our last email to the old one.',
    ],
    reason: `If you did not do this, please write to ${email} at once.`,
  };
}

export function passwordChangedEmail(person: Person, publicUrl: string) {
  return {
    subject: 'Your password was changed',
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'The password of your account was just changed. Your other devices are signed out.',
    ],
    action: { label: 'This was not me', url: `${publicUrl}/auth/reset` },
    reason: `We send this to ${person.email} whenever the password changes.`,
  };
}

export function accountDeletedEmail({ product, email }: Operator) {
  return {
    subject: `Your account at ${product} is deleted`,
    greeting: 'Goodbye,',
    paragraphs: [
      'Your account and everything in it are deleted. Orders and ledger entries stay, without your name.',
      'Invoices and credit notes stay as they were issued, for as long as the law requires.',
    ],
    reason: `If you did not do this, please write to ${email} at once.`,
  };
}

export function suspendedEmail(person: Person, { product, email }: Operator, reason: string) {
  return {
    subject: `Your account at ${product} is suspended`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'Your account was suspended. All your devices are signed out, and you cannot sign in for now.',
      `The reason given: ${reason}`,
      'Batches that are running continue, and nothing is deleted.',
      `If you think this is a mistake, or have a question, please write to ${email}.`,
    ],
    reason: `We sent this to ${person.email} because this account was suspended.`,
  };
}

export function suspensionLiftedEmail(
  person: Person,
  publicUrl: string,
  { product, email }: Operator,
) {
  return {
    subject: `Your account at ${product} is open again`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'The suspension of your account was lifted. You can sign in again.',
      `If you have a question, please write to ${email}.`,
    ],
    action: { label: 'Sign in', url: `${publicUrl}/auth/login` },
    reason: `We sent this to ${person.email} because this account had been suspended.`,
  };
}

export function signInsNearLimitEmail(person: Person, { product }: Operator) {
  return {
    subject: `Unusually many sign-ins at ${product}`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'Sign-in attempts from unknown networks have reached half of their limit for 15 minutes.',
      'If they reach all of it, people can sign in only from networks where someone signed in during the last 30 days, until the 15 minutes end.',
      'Look for the networks in the log of your proxy, and block those that do not belong to your clients.',
    ],
    reason: `We sent this to ${person.email} because you are an operator of ${product}.`,
  };
}
