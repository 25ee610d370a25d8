import { testTitlesOf } from '../syntax.ts';
import { type Finding, lineAt, type Tree } from '../tree.ts';

export const name = 'specification';

const page = 'docs/specification.md';
/** The points of each section of the specification. */
export const points = [6, 51, 20, 24, 11, 9, 84, 9, 8];

/** Every point of the specification has a row, and every row names tests that exist. */
export function check(tree: Tree): Finding[] {
  const text = tree.find(({ path }) => path === page)?.text;
  if (text === undefined) return [];
  const rows = [...text.matchAll(/^\| (\d+\.\d+) \|[^|]*\|(.*)\|$/gm)].map((match) => ({
    number: match[1] ?? '',
    tests: (match[2] ?? '').split('<br>').map((test) => test.trim()),
    line: lineAt(text, match.index),
  }));
  const titles = new Map<string, Set<string>>();
  const titlesIn = (path: string) => {
    const file = tree.find((file) => file.path === path);
    const found = titles.get(path) ?? (file ? testTitlesOf(file) : new Set<string>());
    titles.set(path, found);
    return found;
  };
  return [...missingPoints(rows), ...rows.flatMap((row) => unknownTests(row, titlesIn))];
}

interface Row {
  number: string;
  tests: string[];
  line: number;
}

function missingPoints(rows: readonly Row[]): Finding[] {
  const wanted = points.flatMap((count, section) =>
    Array.from({ length: count }, (_, point) => `${section + 1}.${point + 1}`),
  );
  const numbers = rows.map(({ number }) => number);
  if (numbers.join() === wanted.join()) return [];
  const first = wanted.find((number, index) => numbers[index] !== number) ?? numbers.at(-1);
  return [finding(1, `the points differ from the specification at ${first}`)];
}

function unknownTests(
  { number, tests, line }: Row,
  titlesIn: (path: string) => Set<string>,
): Finding[] {
  return tests.flatMap((test) => {
    const [, path = '', title = ''] = /^`([^`]+)` (.+)$/.exec(test) ?? [];
    return titlesIn(path).has(title)
      ? []
      : [finding(line, `${number} names no test that exists: “${test}”`)];
  });
}

function finding(line: number, wrong: string): Finding {
  return { path: page, line, wrong, instead: 'name a test that shows the point, by its title' };
}
