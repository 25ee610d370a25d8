import { type Finding, lineAt, type Tree } from '../tree.ts';

export const name = 'named tests';

const named = /`([\w./-]+\.test\.tsx?)`/g;

/** The tests that a page names exist, and each rules.ts has a test beside it. */
export function check(tree: Tree): Finding[] {
  const paths = tree.map(({ path }) => path);
  const exists = (test: string) => paths.some((path) => path === test || path.endsWith(`/${test}`));
  const untested = paths
    .filter((path) => path.endsWith('/rules.ts') && !paths.includes(path.replace(/ts$/, 'test.ts')))
    .map((path) => ({
      path,
      line: 1,
      wrong: 'has no test beside it',
      instead: 'write rules.test.ts with a table of cases',
    }));
  const misnamed = tree
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(named)]
        .filter(([, test = '']) => !exists(test))
        .map(({ index, 1: test }) => ({
          path,
          line: lineAt(text, index),
          wrong: `names ${test}, which does not exist`,
          instead: 'name the test that shows it now',
        })),
    );
  return [...untested, ...misnamed];
}
