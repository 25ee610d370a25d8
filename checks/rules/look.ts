import { type File, type Finding, lineAt, type Tree } from '../tree.ts';

export const name = 'look';

const sheet = /^web\/src\/.+\.css$/;
const tokens = 'web/src/ui/styles/tokens.css';

/** Steps of the spacing scale, in rem. */
const steps = ['0.125', '0.25', '0.375', '0.5', '0.75', '1', '1.25', '1.5', '2', '2.5', '3', '4'];
const step = `(?:auto|-?(?:${['0', ...steps.map((size) => `${size}rem`)].join('|')}))`;
const spacing = new RegExp(`^(?:${step}(?: ${step})*|.*(?:calc|var|env|min|max|clamp)\\(.*)$`);
const colour = /#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|light-dark)a?\(/i;
const spaced = /^(?:padding|margin)(?:-[a-z-]+)?$|^(?:row-|column-)?gap$/;

/** The sizes of text, in rem: 12, 13, 14, 16, 20 and 28 pixels. */
const textSizes = ['0.75', '0.8125', '0.875', '1', '1.25', '1.75'];

/** Sizes, weights, spacing and colours come from few values, so all screens look alike. */
export function check(tree: Tree): Finding[] {
  const odd = tree
    .filter(({ path }) => sheet.test(path) && path !== tokens && !path.endsWith('/font.css'))
    .flatMap(oddValues);
  return [...odd, ...tree.filter(({ path }) => path === tokens).flatMap(oddSizes)];
}

function oddSizes({ path, text }: File): Finding[] {
  return [...text.matchAll(/--text-\w+: (\S+)rem;/g)].flatMap((match) => {
    const [wrong, size = ''] = match;
    const instead = `use one of ${textSizes.join(', ')} rem`;
    return textSizes.includes(size)
      ? []
      : [{ path, line: lineAt(text, match.index), wrong, instead }];
  });
}

function oddValues({ path, text }: File): Finding[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
  return [...plain.matchAll(/([a-z-]+):\s+([^;{}]+);/g)].flatMap((match) => {
    const [, property = '', value = ''] = match;
    const instead = better(property, value.trim());
    const line = lineAt(text, match.index);
    return instead ? [{ path, line, wrong: `${property}: ${value.trim()}`, instead }] : [];
  });
}

function better(property: string, value: string): string | null {
  if (property === 'font-size' && !/^(?:var\(--text-\w+\)|inherit)$/.test(value))
    return 'use one of the sizes --text-… of tokens.css';
  if (property === 'font-weight' && !/^(?:400|500|650|inherit)$/.test(value))
    return 'use 400, 500 or 650';
  if (spaced.test(property) && !spacing.test(value)) return `use steps of ${steps.join(', ')} rem`;
  return colour.test(value) ? 'use a colour of tokens.css' : null;
}
