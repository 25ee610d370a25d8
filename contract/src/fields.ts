import * as z from 'zod/mini';

z.config({ localeError: describeIssue });

/**
 * Fields that many calls share. Text is trimmed and normalised to NFC. What a database cannot store
 * or a screen cannot show is refused: control characters and half surrogate pairs.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: but tabs and line breaks are text
const controlCharactersInProse = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** They would make text of others beside them read otherwise. */
const turningCharacters = /[\u202a-\u202e\u2066-\u2069]/g;
const invisibleCharacters = /\p{Default_Ignorable_Code_Point}/gu;
const visibleCharacter = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{M}\p{C}\u2800]/u;

/** More than 30 combining marks in a row. The last two characters combine in NFKC and NFKD. */
const manyMarks = /[\p{M}\uff9e\uff9f]{31}/u;

export const withoutInvisible = (text: string): string => text.replace(invisibleCharacters, '');

/**
 * A text in one of Unicode's normal forms. Normalising takes the square of the marks of a letter,
 * and no language needs more than a few: a text with more than 30 in a row stays as it is.
 */
export function normalised(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC'): string {
  return manyMarks.test(text) ? text : text.normalize(form);
}

const normalise = (value: string) => normalised(value).trim();
const normal = z.overwrite(normalise);
/** Phones add turning characters to copied numbers. */
const upright = z.overwrite((value: string) => normalise(value.replace(turningCharacters, '')));
const wellFormed = z.refine<string>(
  (value) => value.isWellFormed(),
  'Contains a broken character.',
);

/** One line of text, not empty. */
export function line(maximumLength: number, form = normal) {
  const visible = z.refine<string>((value) => visibleCharacter.test(value), 'Please fill this in.');
  return oneLine(maximumLength, form, visible);
}

type Checks = readonly z.core.$ZodCheck<string>[];

function oneLine(maximumLength: number, ...first: Checks) {
  return textWithout(controlCharacters, maximumLength, first);
}

function textWithout(refused: RegExp, maximumLength: number, first: Checks) {
  return z.string('Must be text.').check(
    wellFormed,
    ...first,
    z.maxLength(maximumLength, `At most ${maximumLength} characters.`),
    z.refine((value) => !refused.test(value), 'Contains characters that cannot be shown.'),
  );
}

export const personName = line(80, upright);

/** One line of text that may be empty. */
export function optionalLine(maximumLength: number) {
  return oneLine(maximumLength, normal);
}

/** For texts that a person edits but did not write: what no one can see leaves with the edit. */
export const withoutControls = z.overwrite((value: string) =>
  value.split(controlCharactersInProse).join(''),
);

/** Text with several lines. */
export function prose(maximumLength: number, ...first: Checks) {
  return textWithout(controlCharactersInProse, maximumLength, first);
}

const emailForm = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@<>"(),:;[\]\\.]{2,}$/u;

export const email = z.string('Must be text.').check(
  wellFormed,
  z.overwrite((value: string) => normalise(withoutInvisible(value)).toLowerCase()),
  z.minLength(1, 'Enter an email address.'),
  z.maxLength(254, 'At most 254 characters.'),
  z.refine(
    (value) => emailForm.test(value) && !controlCharacters.test(value),
    'Enter a full email address, such as name@example.com.',
  ),
);

/** The most packs of one kind that an order takes. */
export const maximumQuantity = 10_000;

export const passwordLength = { minimum: 8, maximum: 128 } as const;

/** A password that is being chosen. Its length is counted in characters, not bytes. */
export const newPassword = z.string('Must be text.').check(
  wellFormed,
  z.overwrite((value: string) => normalised(value)),
  z.refine(
    (value) => [...value].length >= passwordLength.minimum,
    `At least ${passwordLength.minimum} characters.`,
  ),
  z.refine(
    (value) => [...value].length <= passwordLength.maximum,
    `At most ${passwordLength.maximum} characters.`,
  ),
  z.refine((value) => !value.includes('\u0000'), 'Contains a character that cannot be used.'),
);

/** A password to check. Only a maximum applies, so that passwords of older rules work. */
export const givenPassword = z.string('Must be text.').check(
  wellFormed,
  z.overwrite((value: string) => normalised(value)),
  z.minLength(1, 'Enter your password.'),
  z.maxLength(1024, 'At most 1024 characters.'),
);

export const phone = z.string('Must be text.').check(
  wellFormed,
  upright,
  z.maxLength(32, 'At most 32 characters.'),
  z.refine(
    (value) => value === '' || /^\+?[0-9 ()./-]{5,}$/.test(value),
    'Digits, spaces and + ( ) - only, at least five.',
  ),
);

/** An opaque id. A malformed one is replaced, to get the refusal of an unknown one. */
const opaque = /^[\x21-\x7e]{1,200}$/;
const unknownId = '-';
export const id = z.string('Must be text.').check(
  z.minLength(1, 'An id is required.'),
  z.overwrite((value: string) => (opaque.test(value) ? value : unknownId)),
);

/** The token of an email link. */
export const secret = z
  .string('Must be text.')
  .check(
    z.minLength(1, 'The link is incomplete.'),
    z.maxLength(200, 'Too long for a token.'),
    z.regex(opaque, 'Not a token.'),
  );

/** An instant, ISO 8601 in UTC. */
export const instant = z.string();

const noInstant = 'Must be an instant such as 2026-11-24T08:00:00Z.';
/** One that a caller names. PostgreSQL has no year 0. */
export const givenInstant = z.iso
  .datetime(noInstant)
  .check(z.refine((text) => !text.startsWith('0000'), noInstant));

const noDay = 'Must be a day such as 2026-11-24.';
/** A day in UTC that a caller names. The database knows it and the day after. */
export const givenDay = z.iso
  .date(noDay)
  .check(z.refine((text) => text > '0001' && text < '9999-12-31', noDay));

export function wholeNumber(least: number, most: number) {
  return z
    .int('Must be a whole number.')
    .check(
      z.gte(least, `At least ${least.toLocaleString('en')}.`),
      z.lte(most, `At most ${most.toLocaleString('en')}.`),
    );
}
/** The largest number that the database holds in a column of whole numbers. */
const largestInteger = 2_147_483_647;
/** A row of a sheet, from 0. */
export const rowNumber = wholeNumber(0, largestInteger);
export const count = z.int().check(z.nonnegative());
/** Submissions used before their payment was refunded or disputed. New ones pay it first. */
export const debt = z.int().check(z.nonnegative());
/** Whole minor units of a currency. */
export const minor = z.int();
export const currency = z.string().check(z.length(3));

/** How far long lists are counted at least. */
const countedAtMost = 1_000;

/** The largest total of a long list's page: one more than was counted, to say "more". */
export const countLimit = ({ start, limit }: { start: number; limit: number }): number =>
  Math.max(countedAtMost, start + limit) + 1;

const pageLength = wholeNumber(1, 100);
export const page = {
  start: z._default(wholeNumber(0, 10_000_000), 0),
  limit: z._default(pageLength, 20),
  search: z._default(optionalLine(200), ''),
};
/** For a list of which the specification names no page: as many as there can be. */
export const longestPage = { ...page, limit: z._default(pageLength, 100) };

/** How many of the newest people were searched by name. Absent: all were. */
export const searchedPeople = z.optional(z.object({ people: count }));

/**
 * The client an admin acts for. A request, not a proof: only the id is read, and the server
 * grants it only for the admin's own clients.
 */
export const switchedAs = z.optional(
  z.nullable(z.object({ user_id: z.optional(z.nullable(z.unknown())) }, 'Must be an object.')),
);

/** Another field that names a person: a record with `user_id` or `id`, or the id itself. */
export const namedPerson = z.optional(z.nullable(z.unknown()));

/** Any JSON object up to a size, for data that is stored unchanged. */
export function boundedObject(maximumBytes: number) {
  return z
    .record(z.string(), z.unknown(), 'Must be an object.')
    .check(z.refine((value) => isWithin(value, maximumBytes), `At most ${maximumBytes} bytes.`));
}

export const nothing = z.object({}, 'Must be an object.');

/** Deeper nesting can overflow JSON.stringify, the database or a message to a worker thread. */
const maximumDepth = 20;

function isWithin(value: unknown, maximumBytes: number): boolean {
  return isShallow(value, maximumDepth) && JSON.stringify(value).length <= maximumBytes;
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

const kinds: Record<string, string> = {
  object: 'Must be an object.',
  record: 'Must be an object.',
  array: 'Must be a list.',
  string: 'Must be text.',
  number: 'Must be a number.',
  int: 'Must be a whole number.',
  boolean: 'Must be true or false.',
};

interface Issue {
  code?: string;
  expected?: string;
  values?: unknown;
  minimum?: unknown;
  maximum?: unknown;
}

/** What is wrong with a field, for every rule without its own message. */
function describeIssue(issue: object): string {
  const { code, expected = '', values, minimum, maximum } = issue as Issue;
  if (code === 'invalid_type') return kinds[expected] ?? 'Has the wrong type.';
  if (code === 'invalid_value' && Array.isArray(values)) return `Choose ${values.join(' or ')}.`;
  if (code === 'too_small') return `At least ${minimum}.`;
  if (code === 'too_big') return `At most ${maximum}.`;
  return 'Has the wrong form.';
}
