import { importsOf } from '../syntax.ts';
import { type Finding, isCode, type Tree } from '../tree.ts';

export const name = 'cycles';

/** No file reaches itself by its imports, types included. */
export function check(tree: Tree): Finding[] {
  const code = tree.filter(isCode);
  const known = new Set(code.map(({ path }) => path));
  const graph = new Map(code.map((file) => [file.path, targetsOf(file, known)]));
  const done = new Set<string>();
  return [...known].flatMap((path) => follow({ graph, done }, path, [])).map(findingOf);
}

function targetsOf(file: Tree[number], known: ReadonlySet<string>): string[] {
  return importsOf(file)
    .map(({ target }) => target)
    .filter((target) => known.has(target));
}

interface Walk {
  graph: ReadonlyMap<string, string[]>;
  done: Set<string>;
}

function follow(walk: Walk, path: string, trail: readonly string[]): string[][] {
  if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path]];
  if (walk.done.has(path)) return [];
  const found = (walk.graph.get(path) ?? []).flatMap((target) =>
    follow(walk, target, [...trail, path]),
  );
  walk.done.add(path);
  return found;
}

function findingOf(cycle: readonly string[]): Finding {
  return {
    path: cycle[0] ?? '',
    line: 1,
    wrong: `a cycle: ${cycle.join(' → ')}`,
    instead: 'move what both need into a file that imports neither',
  };
}
