import * as texts from '../../texts/batches.ts';

/** The longest text of a workbook cell. Excel treats a file with a longer one as damaged. */
export const maximumCellLength = 32_767;
/** The notes list at most this many cut cells, but count all of them. */
const maximumListed = 1_000;

/** Cuts texts that are too long for a cell and lists the cells for the notes sheet. */
export class CellCuts {
  #count = 0;
  readonly #cells: string[][] = [];

  fit(text: string, reference: string): string {
    if (text.length <= maximumCellLength) return text;
    this.#count += 1;
    if (this.#cells.length < maximumListed) this.#cells.push([reference, `${text.length}`]);
    const kept = text.slice(0, maximumCellLength - texts.cutMark.length);
    // Does not split a surrogate pair.
    return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}${texts.cutMark}`;
  }

  /** The rows of the notes sheet, or null if nothing was cut. */
  notes(): string[][] | null {
    if (this.#count === 0) return null;
    return [
      [texts.allCellsAreText],
      [texts.cellsCut(this.#count, maximumCellLength)],
      ...(this.#count > maximumListed ? [[texts.firstCuts(maximumListed)]] : []),
      [...texts.cutTable],
      ...this.#cells,
    ];
  }
}
