import type { User } from '@rowmill/contract';
import { paths } from '../lib/paths.ts';
import { isActingAsSelf, isAdminAsAdmin } from '../lib/session.ts';
import type { SwitchedAs } from '../lib/storage.ts';

export interface Command {
  label: string;
  path: string;
}

/** Commands of which a word begins with what was typed, every word of it. */
export function findCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label }) => {
    const parts = label.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  });
}

/** Keys without Ctrl belong to whoever is writing. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
}

const operatorCommands: readonly Command[] = [
  { label: 'Operator', path: paths.operator },
  { label: 'Plans and prices', path: paths.catalogue },
];

/** Everywhere that a person can go just now: the entries of the menu, and what lies beside it. */
export function commandsFor(standing: { user: User | null; switchedAs: SwitchedAs | null }): Command[] {
  return [
    { label: 'Dashboard', path: paths.dashboard },
    { label: 'Submit a Batch (CSV)', path: paths.ask },
    { label: 'Ask one question', path: `${paths.ask}?sheet=none` },
    { label: 'Processed Batches', path: paths.history },
    ...(isAdminAsAdmin(standing) ? [{ label: 'Clients', path: paths.clients }] : []),
    { label: 'Buy Credits', path: paths.credits },
    { label: 'Invoices', path: paths.orders },
    { label: 'Payments', path: paths.payments },
    { label: 'Activity', path: paths.activity },
    { label: 'Edit Profile', path: paths.profile },
    ...(isActingAsSelf(standing) ? [{ label: 'Change Password', path: paths.changePassword }] : []),
    ...(standing.user?.role_id === 3 ? operatorCommands : []),
    { label: 'Help', path: paths.help },
  ];
}
