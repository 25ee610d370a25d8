import { normalised } from '../fields.ts';
import { type AnswerColumn, asColumn, type Output, outputNames } from './columns.ts';
import { type JsonObject, objectsIn } from './find-object.ts';
import { type Cell, readValue, textOf } from './values.ts';

type AnswerReading = { cells: Cell[] } | { problem: string };

/**
 * An answer as cells of the columns it was asked for, or what is wrong with it. Screens, previews
 * and result files all read answers here.
 */
export function readAnswer(answer: string, columns: readonly Output[]): AnswerReading {
  let last: AnswerReading | null = null;
  for (const found of objectsIn(answer)) {
    const reading = readObject(found, columns);
    if ('cells' in reading) return reading;
    last ??= reading;
  }
  return last ?? readBareValue(answer, columns);
}

/** The cells of an answer; null when it must be shown whole. */
export function cellsOf(answer: string | null, columns: readonly Output[]): Cell[] | null {
  if (answer === null || columns.length === 0) return null;
  const reading = readAnswer(answer, columns);
  return 'cells' in reading ? reading.cells : null;
}

/** The texts of the columns. An answer that must be shown whole is in the first one. */
export function splitAnswer(answer: string, columns: readonly Output[]): string[] {
  return cellsOf(answer, columns)?.map(({ text }) => text) ?? [answer];
}

function readObject(found: JsonObject, columns: readonly Output[]): AnswerReading {
  const names = outputNames(columns);
  const values = valuesOf(found, names);
  const isUnrelated = values.every((value) => value === undefined);
  const lacking: string[] = [];
  const problems: string[] = [];
  const cells = columns.map((output, index): Cell => {
    const column = asColumn(output);
    const value = values[index];
    const cell = readValue(value, column);
    const isMissing = value === undefined && (typeof output === 'string' || !column.may_be_empty);
    if (isMissing || isUnrelated) lacking.push(column.name);
    else if (cell === 'unfit') problems.push(describeMisfit(value, column));
    else if (cell === 'empty' && !column.may_be_empty)
      problems.push(`“${column.name}” must not be empty.`);
    return typeof cell === 'string' ? { type: column.type, text: '' } : cell;
  });
  if (lacking.length > 0) problems.unshift(describeLacking(lacking));
  return problems.length > 0 ? { problem: problems.join(' ') } : { cells };
}

/** For a single column that is not text, models may answer with the bare value. */
function readBareValue(answer: string, columns: readonly Output[]): AnswerReading {
  const [only, ...others] = columns;
  if (typeof only === 'object' && only.type !== 'text' && others.length === 0) {
    const cell = readValue(answer.trim(), only);
    if (typeof cell === 'object') return { cells: [cell] };
  }
  return { problem: 'The answer is not split into columns, as was asked for.' };
}

/** By its name, otherwise by the only key that differs from it in case, spaces and marks. */
function valuesOf(found: JsonObject, names: readonly string[]): unknown[] {
  if (names.every((name) => Object.hasOwn(found, name))) return names.map((name) => found[name]);
  const keys = keysByLetters(found, names);
  return names.map((name) => {
    const key = Object.hasOwn(found, name) ? name : keys.get(lettersOf(name));
    return typeof key === 'string' ? found[key] : undefined;
  });
}

/** Keys are much longer than names only where they are none. */
const longestKey = 400;

/** Null when several keys have the same letters. Read once: an answer may have 100,000 keys. */
function keysByLetters(found: JsonObject, names: readonly string[]) {
  const keys = new Map<string, string | null>();
  for (const key of Object.keys(found)) {
    if (key.length > longestKey || names.includes(key)) continue;
    const letters = lettersOf(key);
    keys.set(letters, keys.has(letters) ? null : key);
  }
  keys.delete('');
  return keys;
}

function lettersOf(name: string): string {
  return normalised(name, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function describeLacking(names: readonly string[]): string {
  const list = names.map((name) => `“${name}”`).join(', ');
  return `The answer lacks the column${names.length === 1 ? '' : 's'} ${list}.`;
}

const quotedLength = 80;

function describeMisfit(value: unknown, column: AnswerColumn): string {
  const text = textOf(value) ?? '';
  const shown =
    text.length > quotedLength ? `${text.slice(0, quotedLength).toWellFormed()}…` : text;
  return `“${column.name}” must be ${describeType(column)}, not “${shown}”.`;
}

/** What a column holds, for people and for models. */
export function describeType({ type, options = [] }: AnswerColumn): string {
  const list = options.map((option) => `“${option}”`).join(', ');
  const types = {
    text: 'text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    choice: `one of ${list}`,
    choices: `a list of any of ${list}`,
    date: 'a date such as 2026-01-31',
  } as const satisfies Record<AnswerColumn['type'], string>;
  return types[type];
}
