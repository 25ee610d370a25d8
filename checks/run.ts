import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, type Rule, readTree } from './tree.ts';

/** Every file of the folder is a rule. */
const files = globSync('rules/*.ts', { cwd: import.meta.dirname }).sort();
const rules = await Promise.all(
  files.map((file): Promise<Rule> => import(join(import.meta.dirname, file))),
);
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
