import { isAllowed, partOf } from '../directions.ts';
import { type Import, importsOf } from '../syntax.ts';
import { type File, type Finding, isCode, isTest, type Tree } from '../tree.ts';

export const name = 'imports';

const reason = /\/\/ crosses: \S+/;

/**
 * Who imports whom follows the table of directions; inside a domain it goes from use cases to rules
 * and store.
 */
export function check(tree: Tree): Finding[] {
  return tree
    .filter(isCode)
    .flatMap((file) => importsOf(file).flatMap((entered) => checkImport(file, entered)));
}

function checkImport(file: File, entered: Import): Finding[] {
  const target = entered.target === '@rowmill/contract' ? 'contract/src/index.ts' : entered.target;
  const say = (wrong: string, instead: string) => [
    { path: file.path, line: entered.line, wrong, instead },
  ];
  if (/^kysely(\/|$)/.test(target) && !entered.isType && !mayUseKysely(file.path))
    return say('imports values of kysely', 'move the statement into a store file of this domain');
  const from = partOf(file.path);
  const to = partOf(target);
  if (!from || !to || isWrittenReason(file, entered)) return [];
  if (!isAllowed(from, { name: to.name, path: target }))
    return say(
      `${from.name} imports ${target}`,
      `${from.name} may import: ${from.may.join(', ') || 'nothing of ours'}`,
    );
  return isUphill(file.path, target)
    ? say(`${file.path} imports ${target}`, 'go from use case to rules and store, never back')
    : [];
}

function mayUseKysely(path: string): boolean {
  return (
    isTest(path) ||
    /^server\/src\/db\/|\/store(\.ts$|\/)/.test(path) ||
    !path.startsWith('server/src/')
  );
}

/** A feature may use another one only where a comment above the import says why. */
function isWrittenReason({ path, text }: File, { line }: Import): boolean {
  return path.startsWith('web/src/features/') && reason.test(text.split('\n')[line - 2] ?? '');
}

function isUphill(from: string, to: string): boolean {
  if (!/^server\/src\/domains\//.test(to) || isTest(from)) return false;
  const isLow = /\/(rules|store)\.ts$|\/store\//.test(from);
  return isLow && !/\/(rules|store|port)\.ts$|\/store\//.test(to);
}
