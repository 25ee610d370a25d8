import * as texts from '../../texts/sheets.ts';
import { SheetRefused } from '../csv/sheet.ts';

/** What a workbook may hold: far more than real ones, and less than hostile archives. */
export const workbookLimits = {
  entries: 10_000,
  /** All parts, unpacked. A sheet of a million rows and twenty columns has about 800 MB. */
  unpackedBytes: 1024 * 1024 * 1024,
  /** How many times its packed size a part may have, once it is larger than `ratioFrom`. */
  ratio: 250,
  ratioFrom: 8 * 1024 * 1024,
  /**
   * Memory of the texts that cells refer to. It is outside the heap, so that no limit of the thread
   * counts it, and three imports may run on a machine of 1 GB.
   */
  stringBytes: 128 * 1024 * 1024,
  /** Longer names of sheets are cut. Excel allows 31 characters, others 100. */
  nameCharacters: 100,
  /** XML without a single tag or text in this many characters is not a workbook. */
  quietCharacters: 4 * 1024 * 1024,
  depth: 64,
  /** The most relations, sheets and cell styles, each. Excel allows 65,490 styles. */
  listed: 100_000,
  /** Excel's own limit of rows and columns. */
  rows: 1_048_576,
  columns: 16_384,
} as const;

/** Why a workbook is refused that holds more. */
export const workbookTooLarge = () => new SheetRefused('too_large', texts.workbookTooLarge);
