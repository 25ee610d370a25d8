import { endpoints } from '@rowmill/contract';
import type { Finding, Tree } from '../tree.ts';

export const name = 'contract';

/**
 * Every call is named in a journey, every web route is in the snapshot. The compiler checks that
 * each call is answered (`Routes`).
 */
export function check(tree: Tree): Finding[] {
  return [...untestedCalls(tree), ...missingPaths(tree)];
}

function untestedCalls(tree: Tree): Finding[] {
  const tests = tree
    .filter(({ path }) => path.startsWith('server/tests/'))
    .map(({ text }) => text)
    .join('\n');
  return Object.keys(endpoints)
    .filter((call) => !new RegExp(`\\b${call}\\b`).test(tests))
    .map((call) => ({
      path: 'contract/src/index.ts',
      line: 1,
      wrong: `no journey calls ${call}`,
      instead: 'name it in a test under server/tests',
    }));
}

function missingPaths(tree: Tree): Finding[] {
  const path = 'web/src/lib/paths.ts';
  const source = tree.find((file) => file.path === path)?.text ?? '';
  const snapshot = tree.filter((file) => /paths\.test\.ts(\.snap)?$/.test(file.path));
  if (
    !source ||
    snapshot.some(
      ({ text }) =>
        /toMatchSnapshot\(\)|toMatchInlineSnapshot\(`/.test(text) && /\bpaths\b/.test(text),
    )
  )
    return [];
  const held = snapshot.map(({ text }) => text).join('\n');
  return [...source.matchAll(/'(\/[^']*)'/g)].flatMap(({ 1: route = '' }) =>
    held.split(/[\s'"`]+/).includes(route)
      ? []
      : [
          {
            path,
            line: 1,
            wrong: `${route} is not in the snapshot`,
            instead: 'hold it in web/src/lib/paths.test.ts',
          },
        ],
  );
}
