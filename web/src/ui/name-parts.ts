/** Shorter names have room everywhere. */
const longName = 16;
/** The last characters of a long name that stay in sight: often only they tell names apart. */
const endLength = 12;

const fromRight =
  '[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]';
const isFromRight = new RegExp(`^\\P{L}*${fromRight}`, 'u');
const notFromRight = `(?!${fromRight}).`;
const notFromLeft = `(?!(?!${fromRight})\\p{L}).`;
/** What is turned round in a name of this direction: letters of the other, and what is between. */
const turned = {
  ltr: new RegExp(`(?:${notFromLeft})*${fromRight}(?:${notFromLeft})*`, 'gsu'),
  rtl: new RegExp(`(?:${notFromRight})*(?!${fromRight})[\\p{L}\\p{N}](?:${notFromRight})*`, 'gsu'),
};

/** Where a name is cut if it is too long, and in which direction both parts are read. */
export function partsOf(name: string): { dir: 'ltr' | 'rtl'; start: string; end: string } {
  const dir = isFromRight.test(name) ? 'rtl' : 'ltr';
  const letters = lettersOf(name);
  const half = Math.floor(letters.length / 2);
  if (letters.length <= longName) return { dir, start: name, end: '' };
  const wanted = letters.slice(0, -Math.min(endLength, half)).join('').length;
  const cut = cutBeside(name, wanted, dir);
  return { dir, start: name.slice(0, cut), end: name.slice(cut) };
}

/** The halves of a part that is turned round would change places, so it is cut before or after. */
function cutBeside(name: string, wanted: number, dir: 'ltr' | 'rtl'): number {
  for (const { index, 0: part } of name.matchAll(turned[dir])) {
    const end = index + part.length;
    if (index < wanted && wanted < end) return index >= name.length / 2 ? index : end;
  }
  return wanted;
}

/** As people see them: an emoji of several characters is not cut in two. */
function lettersOf(name: string): string[] {
  return [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
}
