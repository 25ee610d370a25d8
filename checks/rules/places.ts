import { type File, type Finding, findPattern, isCode, isTest, type Tree } from '../tree.ts';

export const name = 'places';

interface Place {
  what: RegExp;
  /** The files that the rule checks, and those among them that may contain the pattern. */
  within: RegExp;
  home?: RegExp;
  wrong: string;
  instead: string;
}

const places: readonly Place[] = [
  {
    what: /\bsql(?:<[^`]*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/g,
    within: /^server\/src\//,
    home: /^server\/src\/db\/|^server\/src\/domains\/[^/]+\/([^/]+\/)?store(\.ts$|\/)/,
    wrong: 'SQL (%) outside of a store',
    instead: 'make it a function of the domain’s store.ts',
  },
  {
    what: /\bprocess\.env\b/g,
    within: /^(server|web)\/src\//,
    home: /^server\/src\/config\/env\.ts$/,
    wrong: 'reads process.env',
    instead: 'add a setting to server/src/config/env.ts and take it from the config',
  },
  {
    what: /\bconsole\.\w+/g,
    within: /^(server|web)\/src\//,
    wrong: '% writes past the log',
    instead: 'use ctx.log, or process.stdout where a person reads the terminal',
  },
  {
    what: /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/g,
    within: /^server\/src\/(domains|engine)\//,
    wrong: '% takes its own time or chance',
    instead: 'take the time from ctx.clock and identifiers from lib/ids.ts',
  },
  {
    // Creating a person with `roles.client` is fine; ordering role ids or testing for one of them
    // is not.
    what: /\brole_?[iI]d\s*(?:[<>]|[=!]==?\s*(?:\d|roles\.))|\brole_?[iI]d['`]\)?, '[^']+', (?:\d|roles\.)|(?:[<>]=?|[=!]==?)\s*roles\.(?!length)\w+|\broles\.(?!length)\w+\s*(?:[<>]|[=!]==?)/g,
    within: /^(contract|server|web)\/src\//,
    home: /^contract\/src\/permissions\.ts$/,
    wrong: '“%” compares a role id',
    instead: 'name a capability in contract/src/permissions.ts and ask can(roleId, capability)',
  },
  {
    what: /\.normalize\(/g,
    within: /^(contract|server|web)\/src\//,
    // The last three normalise short texts only, and may not import the contract.
    home: /^contract\/src\/fields\.ts$|^server\/src\/lib\/(plain-name|csv\/append\/encode-text|csv\/import\/column-names)\.ts$/,
    wrong: 'takes the square of the time for long runs of marks',
    instead: 'use normalised of the contract',
  },
  {
    what: /\bz\.iso\./g,
    within: /^contract\/src\//,
    home: /^contract\/src\/fields\.ts$/,
    wrong: '“%” allows dates that PostgreSQL lacks',
    instead: 'use givenInstant',
  },
  {
    what: /\buseSearchParams\b/g,
    within: /^web\/src\//,
    // The second reads what a payment provider adds to the address.
    home: /^web\/src\/(lib\/hooks\/use-search-state|features\/billing\/payment\/use-order-in-url)\.ts$/,
    wrong: 'reads the address without a schema',
    instead: 'use useSearchState',
  },
  {
    what: /\.{3}\{/g,
    within: /\.tsx?$/,
    wrong: 'spreads a literal object',
    instead: 'write its fields one below the other',
  },
  {
    what: /\bqueryKey\b/g,
    within: /^web\/src\//,
    home: /^web\/src\/lib\/api\/query\.ts$/,
    wrong: 'makes its own query key',
    instead:
      'use queryOf and invalidate of lib/api/query.ts, which are keyed by the contract’s call',
  },
];

/** Some things have one place: SQL, the environment, the console, time and chance. */
export function check(tree: Tree): Finding[] {
  const code = tree.filter((file) => isCode(file) && !isTest(file.path));
  return code.flatMap((file) => places.flatMap((place) => strays(file, place)));
}

function strays(file: File, place: Place): Finding[] {
  if (!place.within.test(file.path) || place.home?.test(file.path)) return [];
  return findPattern(file, place.what, place);
}
