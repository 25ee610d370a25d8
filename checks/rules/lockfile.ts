import { type Finding, findPattern, type Tree } from '../tree.ts';

export const name = 'lockfile';

/** The lockfile names versions and hashes but no registry, so that it installs from any. */
export function check(tree: Tree): Finding[] {
  const say = {
    wrong: 'names the registry it came from',
    instead: 'keep `omit-lockfile-registry-resolved=true` in .npmrc and install again',
  };
  return tree
    .filter(({ path }) => path === 'package-lock.json')
    .flatMap((file) => findPattern(file, /"resolved": "https?:[^"]*"/g, say));
}
