import { posix } from 'node:path';
import { type File, type Finding, lineAt, type Tree } from '../tree.ts';

export const name = 'styles';

const globalSheet = /^web\/src\/(ui\/styles\/[^/]+|app\/styles)\.css$/;
const moduleSheet = /^web\/src\/.+\.module\.css$/;
const component = /^web\/src\/.+\.tsx$/;
const moduleImport = /import (\w+) from '(\.[^']+\.module\.css)'/g;

/**
 * A component's styles are in a CSS module of the same part. Class names that components write as
 * text are the utilities of web/src/ui/styles, and the classes of a module are exactly those that
 * are used.
 */
export function check(tree: Tree): Finding[] {
  const sheets = tree.filter(({ path }) => path.startsWith('web/') && path.endsWith('.css'));
  const modules = sheets.filter(({ path }) => moduleSheet.test(path));
  const components = tree.filter(({ path }) => component.test(path));
  const globals = classesOf(sheets.filter(({ path }) => globalSheet.test(path)));
  return [
    ...sheets.flatMap(misplaced),
    ...modules.flatMap((file) => sameName(file, modules)),
    ...components.flatMap((file) => [
      ...unknownClasses(file, globals),
      ...moduleUses(file).flatMap((use) => wrongUse(file, use, modules)),
    ]),
    ...modules.flatMap((file) => unused(file, components)),
  ];
}

function misplaced({ path }: File): Finding[] {
  if (globalSheet.test(path) || moduleSheet.test(path)) return [];
  return [
    {
      path,
      line: 1,
      wrong: 'a global style sheet',
      instead: 'make it the CSS module of a component, see web/src/ui/README.md',
    },
  ];
}

/** The built class name contains the file name only. */
function sameName({ path }: File, modules: readonly File[]): Finding[] {
  const twin = modules.find(
    (other) => other.path < path && posix.basename(other.path) === posix.basename(path),
  );
  if (!twin) return [];
  return [{ path, line: 1, wrong: `named like ${twin.path}`, instead: 'give it another name' }];
}

function unknownClasses({ path, text }: File, globals: ReadonlySet<string>): Finding[] {
  return [...text.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)].flatMap((match) => {
    const written = match[1] ?? (match[2] ?? '').replace(/\$\{[^}]*\}/g, ' ');
    const unknown = written.split(/\s+/).filter((word) => word && !globals.has(word));
    return unknown.map((word) => ({
      path,
      line: lineAt(text, match.index),
      wrong: `.${word} is no utility class`,
      instead: 'move it to the CSS module of this component, or use a class of utilities.css',
    }));
  });
}

type Use = ReturnType<typeof moduleUses>[number];

function moduleUses({ path, text }: File) {
  const body = text.replace(/^import [^;]*;/gm, ' ');
  return [...text.matchAll(moduleImport)].map(({ index, 1: local = '', 2: target = '' }) => {
    const found = [...body.matchAll(new RegExp(`\\b${local}(?:\\.(\\w+)|\\[)`, 'g'))];
    // A computed class may be any of the module.
    const classes = new Set(found.map(([, word]) => word ?? '*'));
    return { sheet: posix.join(posix.dirname(path), target), line: lineAt(text, index), classes };
  });
}

function wrongUse({ path }: File, { sheet, line, classes }: Use, modules: readonly File[]) {
  const say = (wrong: string, instead: string) => [{ path, line, wrong, instead }];
  if (partOf(sheet) !== partOf(path))
    return say(`uses the styles of ${partOf(sheet)}`, 'share a component or a utility class');
  const file = modules.find((module) => module.path === sheet);
  if (!file) return [];
  const known = classesOf([file]);
  const missing = [...classes].filter((word) => word !== '*' && !known.has(word));
  return missing.length === 0
    ? []
    : say(`.${missing.join(', .')} is missing in ${sheet}`, 'add the class or drop its use');
}

function unused(file: File, components: readonly File[]): Finding[] {
  const uses = components.flatMap(moduleUses).filter(({ sheet }) => sheet === file.path);
  if (uses.some(({ classes }) => classes.has('*'))) return [];
  const dead = [...classesOf([file])].filter((word) => !uses.some((use) => use.classes.has(word)));
  return dead.map((word) => ({
    path: file.path,
    line: lineAt(file.text, file.text.indexOf(`.${word}`)),
    wrong: `.${word} is used by no component`,
    instead: 'remove it',
  }));
}

function classesOf(sheets: readonly File[]): Set<string> {
  const texts = sheets.map(({ text }) =>
    text.replace(/\/\*[\s\S]*?\*\/|:global\([^)]*\)|"[^"]*"|@import[^;]*;/g, ' '),
  );
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, word = '']) => word)),
  );
}

/** A feature, an entity, or another folder of web/src. */
function partOf(path: string): string {
  return /^web\/(?:src\/(?:features|entities)\/[^/]+|src\/[^/]+|[^/]+)/.exec(path)?.[0] ?? path;
}
