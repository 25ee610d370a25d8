import type { User } from '@rowmill/contract';
import { paths } from '../lib/paths.ts';
import { isActingAsSelf, isAdminAsAdmin, userCan } from '../lib/session.ts';
import type { SwitchedAs } from '../lib/storage.ts';
import * as texts from '../texts/app.ts';

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
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

const operatorCommands: readonly Command[] = [
  { label: texts.operator, path: paths.operator },
  { label: texts.catalogue, path: paths.catalogue },
];

/** Everywhere that a person can go just now: the entries of the menu, and what lies beside it. */
export function commandsFor(standing: {
  user: User | null;
  switchedAs: SwitchedAs | null;
}): Command[] {
  return [
    { label: texts.dashboard, path: paths.dashboard },
    { label: texts.submitBatch, path: paths.ask },
    { label: texts.askOne, path: `${paths.ask}?sheet=none` },
    { label: texts.processedBatches, path: paths.history },
    ...(isAdminAsAdmin(standing) ? [{ label: texts.clients, path: paths.clients }] : []),
    { label: texts.buyCredits, path: paths.credits },
    { label: texts.invoices, path: paths.orders },
    { label: texts.payments, path: paths.payments },
    { label: texts.activity, path: paths.activity },
    { label: texts.editProfile, path: paths.profile },
    ...(isActingAsSelf(standing)
      ? [{ label: texts.changePassword, path: paths.changePassword }]
      : []),
    ...(userCan(standing.user, 'viewInstallation') ? operatorCommands : []),
    { label: texts.help, path: paths.help },
  ];
}
