import { type Finding, findPattern, type Tree } from '../tree.ts';

export const name = 'words';

/** The patterns are put together from halves, so that this file and its test do not find themselves. */
const halves: readonly [string, string, string][] = [
  ['\\b(?:TO', 'DO|FIX', 'ME|X{3})\\b'],
  ['coming', ' soon|lorem', ' ipsum'],
  ['(?:^|[\\s"\'`(])/(?:wo', 'rk|home|root)/|/tm', 'p/\\w+'],
  ['\\bissue', ' #?', '\\d+'],
  ['\\.(?:sk', 'ip|on', 'ly)\\('],
  ['\\b(?:clau', 'de|anthro', 'pic|copi' + 'lot)\\b'],
];

/** Words that show a thing unfinished, switched off, or tied to the place where it was written. */
export function check(tree: Tree): Finding[] {
  const say = {
    wrong: '“%” has no place here',
    instead: 'finish it, or say it so that it is true on every machine',
  };
  return tree
    .filter(({ path }) => path !== 'package-lock.json')
    .flatMap((file) =>
      halves.flatMap((half) => findPattern(file, new RegExp(half.join(''), 'gi'), say)),
    );
}
