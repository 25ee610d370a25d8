import { documents } from '../documents.ts';
import type { Finding, Tree } from '../tree.ts';

export const name = 'documents';

const mostTerms = 60;

/** What is generated is up to date, and the glossary stays short. */
export function check(tree: Tree): Finding[] {
  return [...staleDocuments(tree), ...longGlossary(tree)];
}

function longGlossary(tree: Tree): Finding[] {
  const path = 'docs/glossary.md';
  const text = tree.find((file) => file.path === path)?.text ?? '';
  const terms = text.split('\n').filter((line) => /^\| (?!term \||---)/.test(line)).length;
  return terms <= mostTerms
    ? []
    : [
        {
          path,
          line: 1,
          wrong: `${terms} terms, more than ${mostTerms}`,
          instead: 'leave out a term that is plain English or that the field uses in the same way',
        },
      ];
}

function staleDocuments(tree: Tree): Finding[] {
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
