import { type Finding, isCode, type Tree } from '../tree.ts';

export const name = 'names';

const banned = /(^|[-/.])(utils?|helpers?|common|misc|managers?|services?)(?=[-/.]|$)/;
const kebab = /^(\d{4}-)?[a-z0-9]+(-[a-z0-9]+)*(\.(test|setup|config|d))?\.tsx?$/;
const deepest = 5;

/** File names and the depth of folders: a domain may have one level of sub-folders. */
export function check(tree: Tree): Finding[] {
  const code = tree.filter(isCode).map(({ path }) => path);
  return [...code.flatMap(checkName), ...foldersWithOneFile(tree)];
}

function checkName(path: string): Finding[] {
  const file = path.split('/').at(-1) ?? '';
  const faults: [boolean, string, string][] = [
    [
      !kebab.test(file),
      'the name is not kebab-case',
      'name the file after what it exports, in kebab-case',
    ],
    [
      banned.test(path),
      'the name says nothing',
      'name it after what it does, or move it to where it is used',
    ],
    [path.split('/').length - 1 > deepest, `deeper than ${deepest} folders`, 'flatten the folders'],
  ];
  return faults.flatMap(([isWrong, wrong, instead]) =>
    isWrong ? [{ path, line: 1, wrong, instead }] : [],
  );
}

/** Folders of the tree or of a feature stay, even while they hold one file. */
const given = new RegExp(
  [
    '^(\\.ci|contract|server|web|fakes|bench|checks|docs)(/(src|tests|harness|e2e|public|decisions|rules))?$',
    '^(server|web)/src/(domains|features)(/[^/]+)?$',
    '^(server|web)/src/(engine|http|jobs|lib|db|db/migrations|config|core|cli|demo|adapters|app|ui|pwa)$',
  ].join('|'),
);

function foldersWithOneFile(tree: Tree): Finding[] {
  const folders = new Map<string, string[]>();
  for (const { path } of tree) {
    const parents = path.split('/').slice(0, -1);
    for (const [index] of parents.entries()) {
      const folder = parents.slice(0, index + 1).join('/');
      folders.set(folder, [...(folders.get(folder) ?? []), path]);
    }
  }
  return [...folders].flatMap(([folder, [path = '', ...more]]) =>
    more.length > 0 || given.test(folder)
      ? []
      : [{ path, line: 1, wrong: `alone in ${folder}`, instead: 'move it one folder up' }],
  );
}
