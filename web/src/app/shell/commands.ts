import { paths } from '../../lib/paths.ts';
import { type Identity, isActingAsSelf, isAdminAsAdmin, userCan } from '../../lib/session.ts';
import * as texts from '../../texts/shell.ts';

export interface Command {
  label: string;
  path: string;
}

/** Commands in which every typed word begins a word, then the lists that can be searched. */
export function findCommands(
  commands: readonly Command[],
  { typed, searches = [] }: { typed: string; searches?: readonly Search[] },
): Command[] {
  const text = typed.trim();
  const pages = matching(commands, typed);
  if (text === '') return pages;
  return [
    ...pages,
    ...searches.map(({ label, path }) => ({
      label: label(text),
      path: `${path}?search=${encodeURIComponent(text)}`,
    })),
  ];
}

function matching(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label }) => {
    const parts = label.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  });
}

interface Search {
  label: (text: string) => string;
  path: string;
}

/** The lists that the person can search. */
export function searchesFor(identity: Identity): Search[] {
  return [
    { label: texts.searchBatches, path: paths.history },
    ...(isAdminAsAdmin(identity) ? [{ label: texts.searchClients, path: paths.clients }] : []),
    ...(userCan(identity.user, 'viewInstallation')
      ? [{ label: texts.searchPeople, path: paths.operator }]
      : []),
  ];
}

/** Keys without Ctrl are for typing while a field has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

/** Every page that the person can open now. */
export function commandsFor(identity: Identity): Command[] {
  const commands: (Command & { isHidden?: boolean })[] = [
    { label: texts.dashboard, path: paths.dashboard },
    { label: texts.submitBatch, path: paths.ask },
    { label: texts.askOne, path: `${paths.ask}?sheet=none` },
    { label: texts.allPrompts, path: paths.allPrompts },
    { label: texts.processedBatches, path: paths.history },
    { label: texts.sheets, path: paths.sheets },
    { label: texts.clients, path: paths.clients, isHidden: !isAdminAsAdmin(identity) },
    { label: texts.buyCredits, path: paths.credits },
    { label: texts.invoices, path: paths.orders },
    { label: texts.payments, path: paths.payments },
    { label: texts.activity, path: paths.activity },
    { label: texts.editProfile, path: paths.profile },
    {
      label: texts.changePassword,
      path: paths.changePassword,
      isHidden: !isActingAsSelf(identity),
    },
    ...(userCan(identity.user, 'viewInstallation') ? operatorCommands : []),
    { label: texts.help, path: paths.help },
  ];
  return commands.filter(({ isHidden }) => !isHidden);
}

const operatorCommands: readonly Command[] = [
  { label: texts.operator, path: paths.operator },
  { label: texts.catalogue, path: paths.catalogue },
  { label: texts.providers, path: paths.providers },
];
