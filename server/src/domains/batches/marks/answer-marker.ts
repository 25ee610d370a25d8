import { type AnswerMark, asColumn, bitOf, cellsOf, type Output } from '@rowmill/contract';
import type { EarlierMark } from '../store/results.ts';
import { AlikeAnswers } from './alike.ts';
import { askedLanguages, isOtherLanguage, namedLanguages } from './asked-language.ts';
import { detectLanguage } from './language.ts';
import { LengthOutliers } from './lengths.ts';
import { isRefusal } from './refusals.ts';
import {
  hasPlaceholder,
  type Instruction,
  instructionOf,
  isCutOff,
  isEcho,
  isEmpty,
} from './text-signs.ts';
import { readWords, type Words } from './words.ts';

/** What the answers of a batch have in common. */
export interface MarkedBatch {
  batchId: string;
  model: string;
  /** The parts of the prompt that are the same in every row. */
  fixedParts: readonly string[];
  outputs: readonly Output[];
}

export interface NewAnswer {
  row: number;
  answer: string;
  prompt: () => string;
}

/** The batches whose answers are compared with each other. One takes at most half a megabyte. */
const maximumBatches = 32;
/** Answers with fewer letters are not checked for language and form. */
const shortestInstruction = 12;

interface Known {
  instruction: Instruction;
  asked: ReadonlySet<string> | null;
  isExplicit: boolean;
  lengths: LengthOutliers;
  alike: AlikeAnswers;
  /** Marks of rows stored before this process knew the batch, sent with the next answer. */
  found: EarlierMark[];
}

/**
 * Marks answers without asking a model. What concerns a whole batch is known for the answers of
 * this process, and for the last ones stored before its first slice of the batch.
 */
export class AnswerMarker {
  readonly #batches = new Map<string, Known>();

  /** The marks of an answer as bits, and marks that earlier rows get because of it. */
  mark(batch: MarkedBatch, answer: NewAnswer): { marks: number; earlier: EarlierMark[] } {
    const known = this.#knownOf(batch);
    const { text, isOffList } = readText(answer.answer, batch.outputs);
    const words = readWords(text ?? '');
    const marks = marksOfText(text, { batch, known, words, ...answer });
    if (isOffList) marks.push('off_list');
    const earlier = known.found.splice(0);
    if (text !== null && !marks.includes('empty')) {
      const compared = compare(known, { ...answer, text, words });
      marks.push(...compared.marks);
      earlier.push(...compared.earlier);
    }
    return { marks: marks.reduce((bits, mark) => bits | bitOf(mark), 0), earlier };
  }

  /** Takes milliseconds for the first batch of a process, so that the first answer need not. */
  prepare(batch: MarkedBatch): void {
    this.#knownOf(batch);
  }

  knows(batchId: string): boolean {
    return this.#batches.has(batchId);
  }

  /** Answers that are already stored: by previews, other processes, or before a restart. */
  recall(batch: MarkedBatch, answers: readonly NewAnswer[]): void {
    const known = this.#knownOf(batch);
    for (const answer of answers) {
      const { text } = readText(answer.answer, batch.outputs);
      if (text === null || isEmpty(text)) continue;
      const { marks, earlier } = compare(known, { ...answer, text, words: readWords(text) });
      known.found.push(...marks.map((mark) => ({ mark, rows: [answer.row] })), ...earlier);
    }
  }

  #knownOf(batch: MarkedBatch): Known {
    const found = this.#batches.get(batch.batchId);
    if (found && this.#batches.size === 1) return found;
    const known = found ?? begin(batch);
    this.#batches.delete(batch.batchId);
    this.#batches.set(batch.batchId, known);
    const [oldest] = this.#batches.keys();
    if (oldest !== undefined && this.#batches.size > maximumBatches) this.#batches.delete(oldest);
    return known;
  }
}

/** A failed row has the mark that its reason names, or that of a refusal in words. */
export function marksOfFailure(answer?: string, mark?: AnswerMark): number {
  if (mark) return bitOf(mark);
  if (!answer) return 0;
  const words = readWords(answer);
  return isRefusal(answer, detectLanguage(answer, words), words) ? bitOf('refusal') : 0;
}

interface Compared extends NewAnswer {
  text: string;
  words: Words;
}

/** With the other answers of its batch. */
function compare(known: Known, { row, text, words, prompt }: Compared) {
  const marks: AnswerMark[] = [];
  const earlier: EarlierMark[] = [];
  const length = known.lengths.add(row, text.length);
  if (length.isOutlier) marks.push('unusual_length');
  if (length.earlier.length > 0) earlier.push({ mark: 'unusual_length', rows: length.earlier });
  const alike = known.alike.add(row, { words, characters: text.length, prompt });
  if (alike.isAlike) marks.push('nearly_identical');
  if (alike.earlier.length > 0) earlier.push({ mark: 'nearly_identical', rows: alike.earlier });
  return { marks, earlier };
}

function begin({ fixedParts }: MarkedBatch): Known {
  const instruction = fixedParts.join(' ');
  return {
    instruction: instructionOf(fixedParts),
    asked: askedLanguages(instruction),
    isExplicit: namedLanguages(instruction).wanted.size > 0,
    lengths: new LengthOutliers(),
    alike: new AlikeAnswers(),
    found: [],
  };
}

/** The words of an answer: all of a plain one, or its text columns. Null without words. */
function readText(answer: string, outputs: readonly Output[]) {
  const cells = cellsOf(answer, outputs);
  if (!cells) return { text: answer, isOffList: false };
  const isOffList = cells.some(({ isNormalised }) => isNormalised);
  const texts = cells.filter(({ type }) => type === 'text').map(({ text }) => text);
  return { text: texts.length > 0 ? texts.join('\n') : null, isOffList };
}

interface Answered extends NewAnswer {
  batch: MarkedBatch;
  known: Known;
  words: Words;
}

function marksOfText(text: string | null, { batch, known, words, prompt }: Answered): AnswerMark[] {
  if (text === null) return [];
  if (isEmpty(text)) return isAllText(batch.outputs) ? ['empty'] : [];
  const marks: AnswerMark[] = [];
  const language = detectLanguage(text, words);
  const isRefused = isRefusal(text, language, words);
  if (isRefused) marks.push('refusal');
  if (isCutOff(text)) marks.push('cut_off');
  // The demo model repeats its prompt by design.
  if (batch.model !== 'demo' && isEcho(text, { words, instruction: known.instruction, prompt }))
    marks.push('echo');
  if (hasPlaceholder(text, prompt)) marks.push('placeholder');
  // A refusal is often in English, and marked as what it is.
  if (!isRefused && isInOtherLanguage(language, { batch, known, prompt }))
    marks.push('other_language');
  return marks;
}

const isAllText = (outputs: readonly Output[]) =>
  outputs.every((output) => asColumn(output).type === 'text');

function isInOtherLanguage(
  language: string | null,
  { batch, known, prompt }: Pick<Answered, 'batch' | 'known' | 'prompt'>,
): boolean {
  if (language === null) return false;
  const isList = batch.fixedParts.join('').trim().length < shortestInstruction;
  return isOtherLanguage({
    language,
    asked: isList ? askedLanguages(prompt()) : known.asked,
    isExplicit: known.isExplicit,
    prompt,
    cells: () => (isList ? '' : withoutFixed(prompt(), batch.fixedParts)),
  });
}

/** What the columns added to a prompt. */
function withoutFixed(prompt: string, fixedParts: readonly string[]): string {
  let rest = prompt;
  for (const part of fixedParts) if (part.trim() !== '') rest = rest.replace(part, ' ');
  return rest;
}
