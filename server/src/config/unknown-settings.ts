import { type Setting, settings } from './env.ts';

/** Variables that begin like this are meant for us. Others may belong to other programs. */
const ownBeginning =
  /^(?:CHAT|FILES|LIVE|MAIL|METRICS|OPERATOR|PAYPAL|SECRETS|SHEET|SMTP|STORAGE|STRIPE|TRUSTED|UPLOAD)_/;

const known: Record<string, Setting> = settings;

/** A sentence for each variable that is misspelled, or no setting of this version. */
export function unknownSettings(given: readonly string[]): string[] {
  return given
    .filter((name) => ownBeginning.test(name) && !isKnown(name))
    .map((name) => `${name} is not a setting and has no effect. Did you mean ${nearest(name)}?`);
}

function isKnown(name: string): boolean {
  return name in known || Boolean(known[name.replace(/_FILE$/, '')]?.secret);
}

function nearest(given: string): string | undefined {
  return Object.keys(known).toSorted((one, other) => alike(other, given) - alike(one, given))[0];
}

/** The letters that both begin with, and those that both end with. */
function alike(one: string, other: string): number {
  return same([...one], [...other]) + same([...one].reverse(), [...other].reverse());
}

function same(letters: string[], others: string[]): number {
  const end = letters.findIndex((letter, at) => letter !== others[at]);
  return end < 0 ? letters.length : end;
}
