import { type Finding, findPattern, type Tree } from '../tree.ts';

export const name = 'words';

interface WordRule {
  /** Joined before use, so that this file does not find itself. */
  patterns: readonly (readonly string[])[];
  wrong: string;
  instead: string;
  /** The files that the rule checks; all files without it. */
  where?: RegExp;
}

const rules: readonly WordRule[] = [
  {
    patterns: [
      ['\\b(?:TO', 'DO|FIX', 'ME|X{3})\\b'],
      ['coming', ' soon|lorem', ' ipsum'],
      ['(?:^|[\\s"\'`(])/(?:wo', 'rk|home|root)/|/tm', 'p/\\w+'],
      ['\\bissue', ' #?', '\\d+'],
      ['\\.(?:sk', 'ip|on', 'ly)\\('],
      ['\\b(?:clau', 'de|copi', 'lot)\\b'],
    ],
    wrong: '“%” marks unfinished work or names one machine',
    instead: 'finish it, or write what is true on every machine',
  },
  {
    patterns: [
      ['\\b(?:no', 'body|who', 'ever|whom', 'ever|an', 'ew|sh', 'all|hence', 'forth)\\b'],
      ['\\b(?:any', ' more|so', ' many|all the', ' same|(?:is|are|was|were) to', ' be)\\b'],
    ],
    wrong: '“%” is archaic',
    instead: 'use plain, current English (docs/glossary.md has the terms)',
  },
  {
    patterns: [
      ['\\b(?:h', 'e|h', 'is|h', 'im|h', 'imself|s', 'h', 'e|h', 'er|h', 'ers|h', 'erself)\\b'],
    ],
    wrong: '“%” gives a user a gender',
    instead: 'write “they” or name the role',
  },
  {
    patterns: [
      [
        '\\bg(?:i|a)ve(?:n|s)? (?:it |them )?ba',
        'ck\\b|\\bset as',
        'ide\\b|\\bke',
        'pt variables?\\b',
      ],
      ['\\bus', 'ed up\\b|\\bthings? to lo', 'ok at\\b|\\brows in fli', 'ght\\b|\\bcontests\\b'],
      ['\\bneither a col', 'umn\\b|\\bnothing is cal', 'led\\b|\\bevery row asks the sa', 'me\\b'],
      [
        '\\bdid not get thr',
        'ough\\b|\\bby our',
        'selves\\b|\\blook no',
        'w\\b|\\bmade up of the pa',
        'cks\\b',
      ],
      ['\\bone answers o', 'ne\\b|\\bat this pa', 'ce\\b|\\bas long as you li', 'ke\\b'],
      ['\\blook(?:s|ed)? aft', 'er\\b|\\be-m', 'ails?\\b|\\d %|\\bas it sta', 'nds\\b'],
    ],
    wrong: '“%” is not the word that the screens use',
    instead:
      'use the words of docs/glossary.md: refund, reserve, saved variable, managed by, email, 20%',
    where: /\/src\/texts\/|^contract\/src\/errors\.ts$/,
  },
];

/** Files that others wrote. */
const exempt = /^(package-lock\.json|LICENSE)$/;

/** Unfinished work, places of one machine, archaic words and gendered pronouns. */
export function check(tree: Tree): Finding[] {
  return tree
    .filter(({ path }) => !exempt.test(path))
    .flatMap((file) =>
      rules.flatMap(({ patterns, where, ...say }) =>
        where && !where.test(file.path)
          ? []
          : patterns.flatMap((parts) => findPattern(file, new RegExp(parts.join(''), 'gi'), say)),
      ),
    );
}
