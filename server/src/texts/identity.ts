import type { EmailContent } from '../domains/notifications/emails.ts';

interface Person {
  first_name: string;
  email: string;
}

interface Operator {
  product: string;
  email: string;
}

const notYou = 'If this was not you, you need not do anything.';

export function verification(person: Person, url: string, { product }: Operator): EmailContent {
  return {
    subject: `Please verify your e-mail address for ${product}`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'please open this link to verify your e-mail address. It works once, for 24 hours.',
    ],
    action: { label: 'Verify my address', url },
    reason: `Somebody has registered at ${product} with ${person.email}. ${notYou}`,
  };
}

export function knownAddress(
  person: Person,
  publicUrl: string,
  { product }: Operator,
): EmailContent {
  return {
    subject: `You already have an account at ${product}`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'somebody has just tried to register with your address, but you have an account already. Nothing was changed.',
      'You can sign in as before. If you have forgotten your password, you can set a new one on the sign-in page.',
    ],
    action: { label: 'Sign in', url: `${publicUrl}/auth/login` },
    reason: `This mail goes to ${person.email} because the address was entered in the registration form. ${notYou}`,
  };
}

export function passwordReset(person: Person, url: string): EmailContent {
  return {
    subject: 'Set a new password',
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'with this link you can set a new password. It works once, for 30 minutes, and signs out all your devices.',
    ],
    action: { label: 'Set a new password', url },
    reason: `Somebody has asked for this link for ${person.email}. ${notYou} Your password stays as it is.`,
  };
}

export function passwordResetByAdmin(person: Person, url: string, from: string): EmailContent {
  return {
    subject: 'Please set a new password',
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      `${from} has asked for a new password for your account. All your devices are signed out.`,
      'With this link you set it yourself; nobody else learns it. It works once, for 30 minutes.',
    ],
    action: { label: 'Set a new password', url },
    reason: `This mail goes to ${person.email} because the account is looked after by ${from}.`,
  };
}

export function invitation(
  person: Person,
  url: string,
  { from, product }: { from: string; product: string },
): EmailContent {
  return {
    subject: `${from} invites you to ${product}`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      `${from} has made an account for you at ${product}, where spreadsheets of prompts are answered in bulk by a chat AI.`,
      'Set a password to start. The link works once, for seven days.',
    ],
    action: { label: 'Accept the invitation', url },
    reason: `${from} has entered your address ${person.email}. ${notYou}`,
  };
}

export function addressChange(person: Person, url: string): EmailContent {
  return {
    subject: 'Please verify your new e-mail address',
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'please open this link to use this address from now on. Until then, your old one stays.',
    ],
    action: { label: 'Use this address', url },
    reason: `The account of ${person.email} shall move to this address. ${notYou}`,
  };
}

export function addressChanged(person: Person, { email }: Operator): EmailContent {
  return {
    subject: 'Your e-mail address was changed',
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'your account now uses another e-mail address. This is the last mail to the old one.',
    ],
    reason: `If you did not do this, please write to ${email} at once.`,
  };
}

export function passwordChanged(person: Person, publicUrl: string): EmailContent {
  return {
    subject: 'Your password was changed',
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'the password of your account was changed just now, and other devices were signed out.',
    ],
    action: { label: 'This was not me', url: `${publicUrl}/auth/reset` },
    reason: `This notice goes to ${person.email} whenever the password changes.`,
  };
}

export function accountDeleted({ product, email }: Operator): EmailContent {
  return {
    subject: `Your account at ${product} is deleted`,
    greeting: 'Goodbye,',
    paragraphs: [
      'your account and what belonged to it are deleted. Entries of the ledger and orders stay, without your name.',
      'Invoices and credit notes stay as they were issued, for as long as the law wants them kept.',
    ],
    reason: `If you did not do this, please write to ${email} at once.`,
  };
}

export function suspended(
  person: Person,
  { product, email }: Operator,
  reason: string,
): EmailContent {
  return {
    subject: `Your account at ${product} is suspended`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'your account was suspended: all your devices are signed out, and you cannot sign in at the moment.',
      `The reason that was given: ${reason}`,
      'What runs for you goes on, and nothing of yours is deleted.',
      `If you think that this is a mistake, or have a question, please write to ${email}.`,
    ],
    reason: `This mail goes to ${person.email} because the account of this address was suspended.`,
  };
}

export function readmitted(
  person: Person,
  publicUrl: string,
  { product, email }: Operator,
): EmailContent {
  return {
    subject: `Your account at ${product} is open again`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      'the suspension of your account is lifted. You can sign in as before.',
      `Questions go to ${email}.`,
    ],
    action: { label: 'Sign in', url: `${publicUrl}/auth/login` },
    reason: `This mail goes to ${person.email} because the account of this address had been suspended.`,
  };
}
