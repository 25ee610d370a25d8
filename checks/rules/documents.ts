import { documents } from '../documents.ts';
import type { Finding, Tree } from '../tree.ts';

export const name = 'documents';

/** What is generated is up to date. */
export function check(tree: Tree): Finding[] {
  return Object.entries(documents).flatMap(([path, write]) =>
    tree.find((file) => file.path === path)?.text === write()
      ? []
      : [
          {
            path,
            line: 1,
            wrong: 'differs from what it is made of',
            instead: 'run `npm run docs`',
          },
        ],
  );
}
