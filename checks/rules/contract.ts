import type { Finding, Tree } from '../tree.ts';

export const name = 'contract';

/**
 * Every web route is in the snapshot. The compiler checks that each call is answered (`Routes`) and
 * has a request in the call table, and `matrix.test.ts` makes it as every kind of caller.
 */
export function check(tree: Tree): Finding[] {
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
