import { functionsOf } from '../syntax.ts';
import { type File, type Finding, isCode, isTest, type Tree } from '../tree.ts';

export const name = 'sizes';

/** Lines at width 100, and source files per folder. Tests list cases and may be longer. */
const limits = {
  file: 320,
  testFile: 420,
  function: 80,
  component: 140,
  folder: 20,
  comment: 100,
};
const reason = /\/[/*]+ size: \S+/;

/** Files and functions stay short, unless a comment `// size: <reason>` on top says why not. */
export function check(tree: Tree): Finding[] {
  const code = tree.filter(isCode);
  return [
    ...code.flatMap((file) => [...longFile(file), ...longFunctions(file)]),
    ...crowdedFolders(code),
    ...tree.filter(({ path }) => /\.(tsx?|mjs|css)$/.test(path)).flatMap(wideComments),
  ];
}

function longFile({ path, text }: File): Finding[] {
  const lines = linesOf(text);
  const isExempt = text.split('\n', 5).some((line) => reason.test(line));
  const limit = isTest(path) ? limits.testFile : limits.file;
  if (lines <= limit || isExempt) return [];
  return [
    {
      path,
      line: 1,
      wrong: `${lines} lines, more than ${limit}`,
      instead: 'split it by what it does, or write `// size: <reason>` on top',
    },
  ];
}

/** In a test file the callback of a `describe` is a list, not a function. */
function longFunctions(file: File): Finding[] {
  const above = file.text.split('\n');
  return functionsOf(file).flatMap(({ name: known, line, lines }) => {
    const isComponent = file.path.endsWith('.tsx') && /^[A-Z]/.test(known);
    const limit = isComponent ? limits.component : limits.function;
    if (lines <= limit || (isTest(file.path) && !known) || reason.test(above[line - 2] ?? ''))
      return [];
    const wrong = `${known || 'a function'} has ${lines} lines, more than ${limit}`;
    return [
      {
        path: file.path,
        line,
        wrong,
        instead: 'take parts out as functions, or write `// size: <reason>` above it',
      },
    ];
  });
}

/** Biome wraps code and leaves comments as they are. A link cannot be wrapped. */
function wideComments({ path, text }: File): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.length <= limits.comment || !/^\s*(\/[/*]|\*|\{\/\*)/.test(line)) return [];
    if (/https?:\/\//.test(line)) return [];
    const wrong = `a comment of ${line.length} characters, more than ${limits.comment}`;
    return [{ path, line: index + 1, wrong, instead: 'say it shorter, or wrap the line' }];
  });
}

/** Tests do not count: they are beside what they test. */
function crowdedFolders(code: Tree): Finding[] {
  const sources = code.filter(({ path }) => !/\.test\.tsx?$/.test(path));
  const folders = Map.groupBy(sources, ({ path }) => path.split('/').slice(0, -1).join('/'));
  return [...folders].flatMap(([folder, files]) =>
    files.length <= limits.folder
      ? []
      : [
          {
            path: files[0]?.path ?? '',
            line: 1,
            wrong: `${folder} has ${files.length} source files, more than ${limits.folder}`,
            instead: 'sort them into sub-folders by subject, or merge files with the same subject',
          },
        ],
  );
}

const linesOf = (text: string) => text.trimEnd().split('\n').length;
