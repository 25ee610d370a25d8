import { describe, expect, it } from 'vitest';
import { documents as pages } from './documents.ts';
import * as contract from './rules/contract.ts';
import { findingsOf } from './rules/dead-code.ts';
import * as documents from './rules/documents.ts';
import * as duplicates from './rules/duplicates.ts';
import * as imports from './rules/imports.ts';
import * as lockfile from './rules/lockfile.ts';
import * as look from './rules/look.ts';
import * as namedTests from './rules/named-tests.ts';
import * as names from './rules/names.ts';
import * as places from './rules/places.ts';
import * as sizes from './rules/sizes.ts';
import * as specification from './rules/specification.ts';
import * as strippedTypes from './rules/stripped-types.ts';
import * as styles from './rules/styles.ts';
import * as words from './rules/words.ts';
import type { Rule, Tree } from './tree.ts';

/** A tree of path and text; `wrong` must give findings, `right` none. */
interface Case {
  of: string;
  rule: Rule;
  wrong: Record<string, string>;
  right: Record<string, string>;
}

const domains = 'server/src/domains';
const lines = (count: number, line = (index: number) => `const a${index} = ${index};`) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
const long = `export function work() {\n${lines(80)}\n}\n`;
const half = (...parts: string[]) => parts.join('');

const uses = `import styles from './a.module.css';\nstyles.a;`;

const cases: readonly Case[] = [
  {
    of: 'a file is one that Node cannot read',
    rule: strippedTypes,
    wrong: { 'server/src/a.ts': `function act(by: object, is: boolean = 'a' in by) {}` },
    right: { 'server/src/a.ts': `function act(by: object, is: boolean = ('a' in by)) {}` },
  },
  importing('contract/src/a.ts', '../../server/src/lib/ids.ts', './fields.ts'),
  importing('web/src/lib/a.ts', '../../../server/src/lib/ids.ts', '@rowmill/contract'),
  importing('server/src/http/a.ts', '../../../web/src/lib/a.ts', '../lib/ids.ts'),
  importing('server/src/http/a.ts', '../../../fakes/mail.ts', '../refusal.ts'),
  importing('server/src/http/a.ts', '../adapters/b.ts', '../domains/identity/port.ts'),
  importing('server/src/lib/a.ts', '../domains/plans/rules.ts', './ids.ts'),
  importing(`${domains}/identity/sign-in.ts`, '../plans/rules.ts', '../audit/write-entry.ts'),
  importing(`${domains}/credits/gifts.ts`, '../plans/rules.ts', '../identity/rules.ts'),
  importing(`${domains}/billing/pay-order.ts`, '../batches/rules.ts', '../plans/rules.ts'),
  importing(`${domains}/plans/rules.ts`, './take-plan.ts', '../../lib/ids.ts'),
  importing(`${domains}/plans/subscriptions.ts`, 'kysely', './store.ts'),
  importing('web/src/features/a/b.ts', '../c/d.ts', '../../lib/a.ts'),
  importing('web/src/ui/a.ts', '../features/c/d.ts', '../lib/a.ts'),
  naming('a banned word', 'server/src/lib/string-utils.ts', 'server/src/lib/ids.ts'),
  naming('camel case', 'web/src/lib/apiClient.ts', 'web/src/lib/api-client.ts'),
  naming('depth', 'web/src/features/a/b/c/d.ts', 'web/src/features/a/b.ts'),
  naming('a folder for one file', 'web/src/lib/dates/format.ts', 'web/src/lib/format.ts'),
  {
    of: 'a long file',
    rule: sizes,
    wrong: { 'a.ts': lines(321) },
    right: { 'a.ts': `// size: a table\n${lines(321)}`, 'b.ts': lines(320) },
  },
  {
    of: 'a wide comment',
    rule: sizes,
    wrong: {
      'a.ts': `/** ${'word '.repeat(20)}*/`,
      'b.ts': `  // ${'word '.repeat(20)}`,
      'c.css': `/* ${'word '.repeat(20)}*/`,
    },
    right: {
      'a.ts': `/** ${'word '.repeat(18)}*/\nconst text = '${'word '.repeat(20)}';`,
      'b.ts': `// https://example.test/${'word'.repeat(20)}`,
    },
  },
  {
    of: 'a crowded folder',
    rule: sizes,
    wrong: folderOf(21),
    right: { ...folderOf(20), 'a/z.test.ts': '' },
  },
  {
    of: 'a long function',
    rule: sizes,
    wrong: { 'a.ts': long },
    right: { 'a.ts': `// size: one list\n${long}` },
  },
  {
    of: 'a long component',
    rule: sizes,
    wrong: { 'a.tsx': `export function Page() {\n${lines(141)}\n}` },
    right: { 'a.tsx': `export function Page() {\n${lines(100)}\n}` },
  },
  placing("db.selectFrom('users')", `${domains}/plans/gifts.ts`, `${domains}/plans/store.ts`),
  placing('sql`select 1`', 'server/src/http/a.ts', 'server/src/db/connect.ts'),
  placing('useSearchParams()', 'web/src/app/a.tsx', 'web/src/lib/hooks/use-search-state.ts'),
  placing('process.env.PORT', 'server/src/main.ts', 'server/src/config/env.ts'),
  placing("a.normalize('NFC')", 'server/src/http/a.ts', 'contract/src/fields.ts'),
  placing("console.log('x')", 'server/src/http/a.ts', 'bench/a.ts'),
  ...[
    'if (user.role_id > 1) go();',
    'if (actor.roleId === roles.operator) go();',
    'if (roles.admin <= actor.roleId) go();',
    "query.where('role_id', '=', 1)",
  ].map((text) => placing(text, 'server/src/http/a.ts', 'contract/src/permissions.ts')),
  placing("({ queryKey: ['a'] })", 'web/src/features/a/b.ts', 'web/src/lib/api/query.ts'),
  {
    of: 'a spread literal',
    rule: places,
    wrong: { 'server/src/http/a.ts': 'const a = { ...{ b: 1, c: 2 } };' },
    right: { 'server/src/http/a.ts': 'const a = { ...b, ...(c && { d }) };' },
  },
  placing('Date.now()', `${domains}/plans/rules.ts`, 'server/src/lib/clock.ts'),
  {
    of: 'a web route outside of the snapshot',
    rule: contract,
    wrong: {
      'web/src/lib/paths.ts': "{ a: '/a', b: '/b' }",
      'web/src/lib/paths.test.ts': "['/a']",
    },
    right: {
      'web/src/lib/paths.ts': "{ a: '/a' }",
      'web/src/lib/paths.test.ts': "['/a']",
    },
  },
  {
    of: 'stale documents',
    rule: documents,
    wrong: { 'docs/contract.md': 'old' },
    right: written(),
  },
  {
    of: 'a glossary of more than 60 terms',
    rule: documents,
    wrong: { ...written(), 'docs/glossary.md': glossaryOf(61) },
    right: { ...written(), 'docs/glossary.md': glossaryOf(60) },
  },
  {
    of: 'a page that names a test that does not exist',
    rule: namedTests,
    wrong: { 'docs/a.md': 'Shown by `faults/gone.test.ts`.' },
    right: {
      'docs/a.md': 'Shown by `faults/there.test.ts`.',
      'server/tests/faults/there.test.ts': '',
    },
  },
  {
    of: 'rules without a test',
    rule: namedTests,
    wrong: { 'server/src/domains/a/rules.ts': '' },
    right: { 'server/src/domains/a/rules.ts': '', 'server/src/domains/a/rules.test.ts': '' },
  },
  {
    of: 'a point without a test',
    rule: specification,
    wrong: specified('is gone'),
    right: specified('is there'),
  },
  {
    of: 'a point that is missing',
    rule: specification,
    wrong: { 'docs/specification.md': '# No point' },
    right: specified('is there'),
  },
  {
    of: 'a passage twice',
    rule: duplicates,
    wrong: { 'web/a.ts': lines(8), 'web/b.ts': lines(8) },
    right: {
      'web/a.ts': lines(8),
      'web/b.ts': `// twice: another product\n${lines(8)}`,
      'web/c.ts': lines(7),
    },
  },
  ...[
    half('TO', 'DO'),
    half('/wo', 'rk/main'),
    half('issue ', '3'),
    half('it.on', "ly('x')"),
    half('coming', ' soon'),
  ].map((text) => ({
    of: text,
    rule: words,
    wrong: { 'a.md': `see ${text}` },
    right: { 'a.md': 'the work is done, the issue too' },
  })),
  {
    of: 'an old word of the screens',
    rule: words,
    wrong: { 'web/src/texts/a.ts': half('Set as', 'ide: 20') },
    right: { 'web/src/texts/a.ts': 'Reserved: 20%', 'web/src/a.ts': half('Set as', 'ide') },
  },
  styling(
    'a class of another feature',
    { 'web/src/features/b/b.tsx': `import styles from '../a/a.module.css';\nstyles.a;` },
    { 'web/src/features/a/b.tsx': `import styles from './a.module.css';\nstyles.a;` },
  ),
  styling(
    'a class that the module lacks',
    { 'web/src/features/a/b.tsx': `import styles from './a.module.css';\nstyles.a + styles.b;` },
    { 'web/src/features/a/b.tsx': `import styles from './a.module.css';\nstyles[a];` },
  ),
  styling('a class that no component uses', {}, { 'web/src/features/a/b.tsx': uses }),
  styling(
    'a class name that is no utility',
    { 'web/src/features/a/b.tsx': `${uses}<p className="cart" />` },
    { 'web/src/features/a/b.tsx': `${uses}<p className={\`row \${styles.a}\`} />` },
  ),
  styling(
    'a global sheet of a feature',
    { 'web/src/features/a/b.tsx': uses, 'web/src/features/a/b.css': '' },
    { 'web/src/features/a/b.tsx': uses, 'web/src/ui/styles/b.css': '' },
  ),
  looking('another font size', 'font-size: 0.9rem', 'font-size: var(--text-small)'),
  looking('another weight', 'font-weight: 700', 'font-weight: 650'),
  looking('spacing beside the scale', 'padding: 0.3rem 1rem', 'padding: 0.25rem 1rem'),
  {
    of: 'a seventh size of text',
    rule: look,
    wrong: tokensWith('--text-small: 0.9rem;'),
    right: tokensWith('--text-small: 0.875rem;'),
  },
  looking('a colour beside the tokens', 'color: #123456', 'color: var(--ink)'),
  {
    of: 'a registry in the lockfile',
    rule: lockfile,
    wrong: { 'package-lock.json': '"resolved": "https://registry.example/a.tgz"' },
    right: { 'package-lock.json': '"resolved": "contract"' },
  },
];

describe.each(cases)('$rule.name: $of', ({ rule, wrong, right }) => {
  it('is found', async () => {
    expect(await rule.check(treeOf(wrong))).not.toEqual([]);
  });
  it('is not found where nothing is wrong', async () => {
    expect(await rule.check(treeOf(right))).toEqual([]);
  });
});

it('reads what knip reports, and a knip that did not run', () => {
  expect(findingsOf('Unused files (1)\na.ts\n', '', 1)).toHaveLength(1);
  expect(findingsOf('', 'no such file', 1)).toHaveLength(1);
  expect(findingsOf('', '', 0)).toEqual([]);
});

function treeOf(files: Record<string, string>): Tree {
  return Object.entries(files).map(([path, text]) => ({ path, text }));
}

function importing(path: string, wrong: string, right: string): Case {
  const of = `${path} imports ${wrong}`;
  const file = (target: string) => ({ [path]: `import { a } from '${target}';` });
  return { of, rule: imports, wrong: file(wrong), right: file(right) };
}

function naming(of: string, wrong: string, right: string): Case {
  return { of, rule: names, wrong: { [wrong]: '' }, right: { [right]: '' } };
}

function folderOf(files: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: files }, (_, index) => [`a/${String.fromCharCode(97 + index)}.ts`, '']),
  );
}

function placing(text: string, wrong: string, right: string): Case {
  return { of: text, rule: places, wrong: { [wrong]: text }, right: { [right]: text } };
}

/** The module has the class `a`, the utilities have `row`. */
function styling(of: string, wrong: Record<string, string>, right: Record<string, string>): Case {
  const sheets = {
    'web/src/features/a/a.module.css': '.a { color: red; }',
    'web/src/ui/styles/utilities.css': '.row { display: flex; }',
  };
  return { of, rule: styles, wrong: { ...sheets, ...wrong }, right: { ...sheets, ...right } };
}

function tokensWith(line: string) {
  return { 'web/src/ui/styles/tokens.css': `:root {\n  ${line}\n}\n` };
}

function looking(of: string, wrong: string, right: string): Case {
  const sheet = (declaration: string) => ({ 'web/src/ui/a.module.css': `.a { ${declaration}; }` });
  return { of, rule: look, wrong: sheet(wrong), right: sheet(right) };
}

/** Every point, shown by one test. */
function specified(title: string): Record<string, string> {
  const rows = specification.points.flatMap((count, section) =>
    Array.from(
      { length: count },
      (_, point) => `| ${section + 1}.${point + 1} | A point | \`a.test.ts\` ${title} |`,
    ),
  );
  return {
    'docs/specification.md': rows.join('\n'),
    'a.test.ts': "it.each([1])('is there', () => {});",
  };
}

function glossaryOf(terms: number): string {
  return `| term | meaning |\n| --- | --- |\n${'| a | A. |\n'.repeat(terms)}`;
}

function written(): Record<string, string> {
  return Object.fromEntries(Object.entries(pages).map(([path, write]) => [path, write()]));
}
