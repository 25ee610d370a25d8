import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface File {
  path: string;
  text: string;
}

/** What a rule looks at: files as text, so that a test needs no file system. */
export type Tree = readonly File[];

export interface Finding {
  path: string;
  line: number;
  wrong: string;
  instead: string;
}

export interface Rule {
  name: string;
  check: (tree: Tree) => Finding[] | Promise<Finding[]>;
}

const readable = /\.(tsx?|json|md|css|html|sql|sh|snap|ya?ml)$|^\.ci\//;

/** Every text file that is in the repository or about to be. */
export const readTree = (): Tree =>
  listFiles('--cached', '--others', '--exclude-standard')
    .filter((path) => readable.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** The files of the checkout, with more options of `git ls-files`. */
export function listFiles(...options: string[]): string[] {
  const listed = spawnSync('git', ['ls-files', '-z', ...options], { encoding: 'utf8' });
  if (listed.status !== 0)
    throw new Error(
      `The checks need a git checkout. Clone the repository instead of unpacking it. ${listed.stderr}`,
    );
  return listed.stdout.split('\0').filter((path) => path && existsSync(path));
}

export const isCode = ({ path }: File): boolean => /\.tsx?$/.test(path);
export const isTest = (path: string): boolean =>
  /\.test\.tsx?$/.test(path) || /^(server\/tests|web\/e2e)\//.test(path);

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** One finding for each place where a pattern (with the flag g) occurs. */
export function findPattern(
  file: File,
  pattern: RegExp,
  say: { wrong: string; instead: string },
): Finding[] {
  return [...file.text.matchAll(pattern)].map(({ index, 0: found }) => ({
    path: file.path,
    line: lineAt(file.text, index),
    wrong: say.wrong.replace('%', found.trim()),
    instead: say.instead,
  }));
}
