/** Shorter names have room everywhere. */
const longName = 16;
/** The last characters of a long name that stay in sight: often only they tell names apart. */
const endLength = 12;

const fromRight =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const startsFromRight =
  /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** What is turned round in a name of this direction: runs with such a letter. */
const turned = {
  ltr: {
    runs: /[\P{L}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]+/gu,
    letter: fromRight,
  },
  rtl: {
    runs: /[^\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]+/gu,
    letter: /[\p{L}\p{N}]/u,
  },
};

/** Where a name is cut if it is too long, and in which direction both parts are read. */
export function partsOf(name: string): { dir: 'ltr' | 'rtl'; start: string; end: string } {
  const dir = startsFromRight.test(name) ? 'rtl' : 'ltr';
  const letters = lettersOf(name);
  const half = Math.floor(letters.length / 2);
  if (letters.length <= longName) return { dir, start: name, end: '' };
  const wanted = letters.slice(0, -Math.min(endLength, half)).join('').length;
  const cut = cutBeside(name, wanted, dir);
  return { dir, start: name.slice(0, cut), end: name.slice(cut) };
}

/** The halves of a part that is turned round would change places, so it is cut before or after. */
function cutBeside(name: string, wanted: number, dir: 'ltr' | 'rtl'): number {
  const { runs, letter } = turned[dir];
  for (const { index, 0: run } of name.matchAll(runs)) {
    const end = index + run.length;
    if (index < wanted && wanted < end && letter.test(run))
      return index >= name.length / 2 ? index : end;
  }
  return wanted;
}

/** As people see them: an emoji of several characters is not cut in two. */
function lettersOf(name: string): string[] {
  return [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
}
