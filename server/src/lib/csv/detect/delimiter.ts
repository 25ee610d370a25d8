import { readSample } from '../read/sample.ts';
import { looksLikePrompt } from './header.ts';

export interface DelimiterGuess {
  delimiter: string;
  isSure: boolean;
  /** Other plausible delimiters. */
  others: string[];
}

interface Evidence {
  delimiter: string;
  records: number;
  /** The most frequent number of columns, and the share of records that have it. */
  columns: number;
  share: number;
  /** The number of columns of the first record. */
  first: number;
  /** The share of cells after a delimiter that start with a space, as words in a sentence do. */
  spaced: number;
}

const delimiters = [',', ';', '\t', '|'];
/** Stands in as delimiter when a single column's text contains all of the real ones. */
const unitSeparator = '\u001f';
const fairShare = 0.5;
const steadyShare = 0.9;
const spacedShare = 0.8;
/** Two irregular readings closer than this are left to a person to choose from. */
const closeShare = 0.05;

/** The delimiter with the steadiest number of columns. Prose in a single column is not split at its commas. */
export function guessDelimiter(text: string, { isWhole }: { isWhole: boolean }): DelimiterGuess {
  const evidence = delimiters.map((delimiter) =>
    gatherEvidence(readSample(text, { delimiter, isWhole }), delimiter),
  );
  const splitting = evidence.filter(({ columns, first }) => columns > 1 || first > 1);
  const isPromptFirst = looksLikePrompt(text.slice(0, text.search(/[\r\n]|$/)));
  const fair = splitting
    .filter((one) => one.columns > 1 && one.share >= fairShare && !isProse(one, isPromptFirst))
    .sort(
      (a, b) =>
        Number(b.first > 1) - Number(a.first > 1) || b.share - a.share || b.columns - a.columns,
    );
  const [best, rival] = fair;
  const single = singleColumn(evidence);
  if (!best) return { delimiter: single, ...doubtsOfSingle(splitting, isPromptFirst) };
  const others = rival && isRival(best, rival) ? [rival.delimiter] : [];
  if (best.first === 1) others.push(single);
  return { delimiter: best.delimiter, isSure: others.length === 0, others };
}

function gatherEvidence(records: string[][], delimiter: string): Evidence {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [columns, times] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [1, 0];
  const after = records.flatMap((cells) => cells.slice(1));
  const spaced =
    after.length === 0 ? 0 : after.filter((cell) => cell.startsWith(' ')).length / after.length;
  const share = records.length === 0 ? 0 : times / records.length;
  return {
    delimiter,
    records: records.length,
    columns,
    share,
    first: records[0]?.length ?? 1,
    spaced,
  };
}

function isProse({ spaced, share, first }: Evidence, isPromptFirst: boolean): boolean {
  return spaced >= spacedShare && (share < steadyShare || first === 1 || isPromptFirst);
}

function isRival(best: Evidence, rival: Evidence): boolean {
  if (best.first > 1 !== rival.first > 1) return false;
  return best.share === rival.share || (best.share < 1 && best.share - rival.share < closeShare);
}

/** Prose with occasional commas is certainly one column; a steady split, or one without spaces, may be columns. */
function doubtsOfSingle(
  splitting: readonly Evidence[],
  isPromptFirst: boolean,
): Omit<DelimiterGuess, 'delimiter'> {
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
