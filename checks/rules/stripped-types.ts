import { stripTypeScriptTypes } from 'node:module';
import type { Finding, Tree } from '../tree.ts';

export const name = 'stripped-types';

/** Node runs these files itself, and its reader knows less of TypeScript than the compiler. */
const run = /^(bench|checks|contract\/src|fakes|server)\/.*\.ts$/;

export function check(tree: Tree): Finding[] {
  return tree
    .filter(({ path }) => run.test(path))
    .flatMap(({ path, text }) => {
      try {
        stripTypeScriptTypes(text);
        return [];
      } catch (error) {
        const wrong = `Node cannot read it (${(error as Error).message.split('\n').at(-1)?.trim()})`;
        return [{ path, line: 1, wrong, instead: 'write it another way' }];
      }
    });
}
