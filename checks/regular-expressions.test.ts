import { describe, expect, it } from 'vitest';
import { regularExpressionsOf } from './syntax.ts';
import { readTree } from './tree.ts';

/** The longest text that a person may send in one field, and what it may cost. */
const longest = 100_000;
const maximumMilliseconds = 50;
/** Growing, so that an expression with exponential time fails at once instead of never ending. */
const lengths = [16, 20, 24, 28, 32, 36, 40, 200, 2_000, 12_500, longest];

const expressions = readTree()
  .filter(
    ({ path }) => /^(server|contract|web)\/src\/.*\.tsx?$/.test(path) && !/\.test\./.test(path),
  )
  .flatMap((file) =>
    regularExpressionsOf(file).map(({ line, expression }) => ({
      at: `${file.path}:${line}`,
      expression,
    })),
  );

describe('a regular expression', () => {
  it('is found in every part of the product, and none is computed', () => {
    expect(expressions.length).toBeGreaterThan(100);
    expect(expressions.filter(({ expression }) => !expression)).toEqual([]);
  });

  it.each(expressions)(
    'takes linear time for long runs of its own characters: $at',
    ({ expression }) => {
      if (!expression) return;
      for (const { name, text } of hostileTexts(expression)) {
        const milliseconds = costOf(expression, text);
        expect(milliseconds, `${expression} on ${name}`).toBeLessThanOrEqual(maximumMilliseconds);
      }
    },
  );

  it.each([/(a|aa)+$/, /\s*[^x]*?\s*y/, /\S*\*{3}\S*/, /^(\w+\s?)*$/])(
    'fails the check when it takes longer: %s',
    (expression) => {
      const slow = hostileTexts(expression).some(
        ({ text }) => costOf(expression, text) > maximumMilliseconds,
      );
      expect(slow).toBe(true);
    },
  );
});

interface HostileText {
  name: string;
  text(length: number): string;
}

/**
 * Runs of each character that the expression knows, alone and after what leads to it, before an end
 * that does not match; and repetitions of its start.
 */
function hostileTexts(expression: RegExp): HostileText[] {
  const atoms = atomsOf(expression);
  const texts: HostileText[] = [];
  const add = (name: string, text: (length: number) => string) => texts.push({ name, text });
  let start = '';
  for (const atom of atoms) {
    const prefix = start;
    for (const character of atom) {
      const run = (length: number) => character.repeat(length);
      add(`a run of ${JSON.stringify(character)}`, run);
      for (const end of ['\0', '\n!'])
        add(`${JSON.stringify(prefix + character)}… and an end`, (n) => prefix + run(n) + end);
      const unit = prefix + run(50);
      add(`repeated ${JSON.stringify(unit)}`, (n) => unit.repeat(Math.ceil(n / unit.length)));
    }
    start += atom[0] ?? '';
    const unit = start;
    add(`repeated ${JSON.stringify(unit)}`, (n) => unit.repeat(Math.ceil(n / (unit.length || 1))));
  }
  const all = [...new Set(atoms.flat())].slice(0, 6);
  for (const one of all)
    for (const other of all)
      if (one !== other)
        add(
          `${JSON.stringify(one)}… and ${JSON.stringify(other)}…`,
          (n) => one.repeat(n / 2) + other.repeat(n / 2),
        );
  return [...new Map(texts.map((text) => [text.name, text])).values()];
}

const samples = [...' \t\n\r"\'azA09_-.,;=@/{<*~éß中\u200b🦊'];
const atom =
  /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\.|\[(?:\\.|[^\]\\])*\]|[^()|?*+^$\\[{}]|[{}]/gu;

/** For each part of the expression up to two characters that it matches. */
function atomsOf({ source, flags }: RegExp): string[][] {
  const unicode = flags.replace(/[gy]/g, '');
  const withoutGroups = source
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, '(')
    .replace(/\{\d+(?:,\d*)?\}/g, '');
  const found = (withoutGroups.match(atom) ?? []).map((part) => {
    const own = new RegExp(`^(?:${part === '{' || part === '}' ? `\\${part}` : part})$`, unicode);
    const literal = /^[^\\[.]$/u.test(part) ? [part] : [];
    return [...literal, ...samples.filter((character) => own.test(character))].slice(0, 2);
  });
  return found.filter((characters) => characters.length > 0).slice(0, 10);
}

/** CPU time of this thread in ms: the best of three, because a busy machine slows caches. */
function costOf(expression: RegExp, textOf: (length: number) => string): number {
  const everywhere = new RegExp(expression.source, `${expression.flags.replace('g', '')}g`);
  let cost = 0;
  for (const length of lengths) {
    const text = textOf(length);
    cost = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 3 && cost > maximumMilliseconds; attempt++) {
      const before = process.threadCpuUsage();
      text.replace(everywhere, '');
      const { user, system } = process.threadCpuUsage(before);
      cost = Math.min(cost, (user + system) / 1_000);
    }
    if (cost > maximumMilliseconds) break;
  }
  return cost;
}
