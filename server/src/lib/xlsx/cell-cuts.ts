/** What a cell of a workbook can hold. Excel takes a file with a longer one for damaged. */
export const longestText = 32_767;
const cutMark = ' … [cut, see the sheet “Notes”]';
/** So many places are named; how many there are is told in any case. */
const namedPlaces = 1_000;

/** Cuts what is longer than a cell, and remembers where, for those who look for the rest. */
export class CellCuts {
  #count = 0;
  readonly #places: string[][] = [];

  fit(text: string, reference: string): string {
    if (text.length <= longestText) return text;
    this.#count += 1;
    if (this.#places.length < namedPlaces) this.#places.push([reference, `${text.length}`]);
    const kept = text.slice(0, longestText - cutMark.length);
    // A letter may be written as two halves.
    return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}${cutMark}`;
  }

  /** The rows of the sheet that tells of it. */
  notes(): string[][] {
    const intro = [['Every cell is text: leading zeros, long numbers and dates are as they were.']];
    if (this.#count === 0) return [...intro, ['No cell was cut.']];
    const cut =
      this.#count === 1 ? 'One longer text was cut' : `${this.#count} longer texts were cut`;
    const most = `A cell of a workbook holds ${longestText} characters. ${cut}; the results as CSV or JSONL hold it all.`;
    const named = this.#count > namedPlaces ? [[`The first ${namedPlaces} of them:`]] : [];
    return [...intro, [most], ...named, ['Cell', 'Characters'], ...this.#places];
  }
}
