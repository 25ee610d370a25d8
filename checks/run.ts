import * as contract from './rules/contract.ts';
import * as deadCode from './rules/dead-code.ts';
import * as documents from './rules/documents.ts';
import * as duplicates from './rules/duplicates.ts';
import * as imports from './rules/imports.ts';
import * as lockfile from './rules/lockfile.ts';
import * as look from './rules/look.ts';
import * as moduleState from './rules/module-state.ts';
import * as namedTests from './rules/named-tests.ts';
import * as names from './rules/names.ts';
import * as places from './rules/places.ts';
import * as sizes from './rules/sizes.ts';
import * as specification from './rules/specification.ts';
import * as strippedTypes from './rules/stripped-types.ts';
import * as styles from './rules/styles.ts';
import * as words from './rules/words.ts';
import { type Finding, type Rule, readTree } from './tree.ts';

const rules: readonly Rule[] = [
  imports,
  names,
  sizes,
  places,
  moduleState,
  contract,
  strippedTypes,
  styles,
  look,
  documents,
  namedTests,
  specification,
  duplicates,
  words,
  lockfile,
  deadCode,
];

const tree = readTree();
let count = 0;
for (const rule of rules) {
  const findings = await rule.check(tree);
  count += findings.length;
  const lines = [`${rule.name}: ${findings.length || 'clean'}`, ...findings.map(format)];
  process.stdout.write(`${lines.join('\n')}\n`);
}
process.stdout.write(`${count} findings\n`);
process.exitCode = count === 0 ? 0 : 1;

function format({ path, line, wrong, instead }: Finding): string {
  return `  ${path}:${line}: ${wrong}: ${instead}`;
}
