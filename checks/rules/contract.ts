import { endpoints } from '@rowmill/contract';
import { keysOf } from '../syntax.ts';
import type { Finding, Tree } from '../tree.ts';

export const name = 'contract';

const calls = Object.keys(endpoints);

/**
 * Every answered call is named in a journey, no route answers a call that does not exist, every web
 * route is in the snapshot. The compiler checks that each call is answered (`Routes`).
 */
export function check(tree: Tree): Finding[] {
  return [
    ...routesOf(tree).flatMap((route) => checkRoute(route, testsOf(tree))),
    ...missingPaths(tree),
  ];
}

interface Route {
  path: string;
  line: number;
  call: string;
}

/** The keys of the tables in the domains' routes.ts, with or without their use case. */
function routesOf(tree: Tree): Route[] {
  return tree
    .filter(({ path }) => /^server\/src\/domains\/[^/]+\/routes\.ts$/.test(path))
    .flatMap((file) => keysOf(file).map(({ key, line }) => ({ path: file.path, line, call: key })));
}

function testsOf(tree: Tree): string {
  return tree
    .filter(({ path }) => path.startsWith('server/tests/'))
    .map(({ text }) => text)
    .join('\n');
}

function checkRoute({ path, line, call }: Route, tests: string): Finding[] {
  if (!calls.includes(call))
    return [
      {
        path,
        line,
        wrong: `${call} is not in the contract`,
        instead: 'add the call to contract/src first',
      },
    ];
  if (new RegExp(`\\b${call}\\b`).test(tests)) return [];
  return [
    {
      path,
      line,
      wrong: `no journey calls ${call}`,
      instead: 'name it in a test under server/tests',
    },
  ];
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
