import { readSample } from '../read/sample.ts';
import { looksLikePrompt } from './header.ts';
import { findTable } from './table.ts';

type Evidence = ReturnType<typeof gatherEvidence>;

const delimiters = [',', ';', '\t', '|'];
/** Stands in as delimiter when a single column's text contains all of the real ones. */
const unitSeparator = '\u001f';
const fairShare = 0.5;
const steadyShare = 0.9;
const spacedShare = 0.8;
const longestName = 30;
/** Two irregular readings closer than this are left to a person to choose from. */
const closeShare = 0.05;

const apostrophes = /(?:^|[,;\t|] ?)'[^'\r\n]*'(?=[,;\t|]|$)/gm;
const quotes = /(?:^|[,;\t|] ?)"/m;

/** Apostrophes quote cells when they enclose several cells and quotes enclose none. */
export function guessQuote(text: string): string {
  return !quotes.test(text) && (text.match(apostrophes)?.length ?? 0) >= 3 ? "'" : '"';
}

/**
 * The delimiter with the steadiest number of columns, and other plausible ones. Prose is not split
 * at its commas. `trim`: a space follows each delimiter.
 */
export function guessDelimiter(
  text: string,
  { isWhole, quote }: { isWhole: boolean; quote?: string },
) {
  const read = (delimiter: string, trim = false) =>
    gatherEvidence(readSample(text, { delimiter, quote, trim, isWhole }), { delimiter, trim });
  // Delimiters that do not occur all read the file in the same way, so one is enough.
  const absent = delimiters.find((delimiter) => !text.includes(delimiter));
  const unsplit = absent && read(absent);
  const evidence = delimiters.map((delimiter) => {
    if (unsplit && !text.includes(delimiter)) return { ...unsplit, delimiter };
    const plain = read(delimiter);
    if (plain.spaced < spacedShare) return plain;
    const trimmed = { ...read(delimiter, true), spaced: plain.spaced };
    return trimmed.isNamed && trimmed.columns > 2 && trimmed.share >= steadyShare ? trimmed : plain;
  });
  const splitting = evidence.filter(({ columns, first }) => columns > 1 || first > 1);
  const isPromptFirst = looksLikePrompt(text.slice(0, text.search(/[\r\n]|$/)));
  const fair = splitting
    .filter((one) => one.columns > 1 && one.share >= fairShare && !isProse(one, isPromptFirst))
    .sort(
      (a, b) =>
        Number(b.first > 1) - Number(a.first > 1) ||
        b.share - a.share ||
        a.titles - b.titles ||
        b.columns - a.columns,
    );
  const [best, rival] = fair;
  const single = singleColumn(evidence);
  if (!best) return { delimiter: single, trim: false, ...doubtsOfSingle(splitting, isPromptFirst) };
  const others = rival && isRival(best, rival) ? [rival.delimiter] : [];
  if (best.first === 1) others.push(single);
  return { delimiter: best.delimiter, trim: best.trim, isSure: others.length === 0, others };
}

function gatherEvidence(
  all: string[][],
  { delimiter, trim }: { delimiter: string; trim: boolean },
) {
  const { rows, skip } = findTable(all);
  const records = rows.slice(skip);
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [columns, times] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [1, 0];
  const after = records.flatMap((cells) => cells.slice(1));
  const spaced =
    after.length === 0 ? 0 : after.filter((cell) => cell.startsWith(' ')).length / after.length;
  const share = records.length === 0 ? 0 : times / records.length;
  return {
    delimiter,
    trim,
    records: records.length,
    /** Rows above the table. The delimiter of lists within cells makes the header one of them. */
    titles: skip,
    /** The most frequent number of columns, and the share of records that have it. */
    columns,
    share,
    /** The number of columns of the first record. */
    first: records[0]?.length ?? 1,
    /** The first record has short cells, as names of columns are. */
    isNamed: records[0]?.every((cell) => cell.length <= longestName) === true,
    /** The share of cells after a delimiter that start with a space, as words in a sentence do. */
    spaced,
  };
}

function isProse({ spaced, share, first, trim }: Evidence, isPromptFirst: boolean): boolean {
  return spaced >= spacedShare && (share < steadyShare || first === 1 || (isPromptFirst && !trim));
}

function isRival(best: Evidence, rival: Evidence): boolean {
  if (best.first > 1 !== rival.first > 1) return false;
  return best.share === rival.share || (best.share < 1 && best.share - rival.share < closeShare);
}

/** Prose with a few commas is one column; a steady split, or one without spaces, is doubtful. */
function doubtsOfSingle(splitting: readonly Evidence[], isPromptFirst: boolean) {
  const others = splitting
    .filter((one) =>
      isProse(one, isPromptFirst)
        ? one.records > 1 && one.share >= steadyShare && one.first > 1
        : one.first > 1,
    )
    .map(({ delimiter }) => delimiter);
  return { isSure: others.length === 0, others };
}

function singleColumn(evidence: readonly Evidence[]): string {
  const unused = [',', '\t', '|', ';'].find((delimiter) =>
    evidence.some(
      (one) =>
        one.delimiter === delimiter && one.first === 1 && one.columns === 1 && one.share === 1,
    ),
  );
  return unused ?? (evidence[0]?.records === 0 ? ',' : unitSeparator);
}
