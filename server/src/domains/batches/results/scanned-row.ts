import { marksIn, type Output, splitAnswer } from '@rowmill/contract';
import type { ScannedColumn, ScannedResults } from '../store/scanned-results.ts';

/** Short answers, such as options of a list, are often equal, and splitting takes long. */
const repeated = { characters: 200, answers: 2_000 };

/** A row that a scan passes. The object is used again for the next row. */
export class ScannedRow {
  row = 0;
  /** The cells as JSON; undefined when the scan does not read the sheet. */
  line: string | undefined;
  readonly #outputs: readonly Output[];
  #results: ScannedResults | undefined;
  #at = 0;
  #cells: readonly string[] | null = null;
  #answers: readonly string[] | null = null;
  readonly #repeated = new Map<string, readonly string[]>();
  #repetitions = 0;

  constructor(outputs: readonly Output[]) {
    this.#outputs = outputs;
  }

  /** `at` is the place of the row's result; undefined without one. */
  set(row: number, line: string | undefined, results?: ScannedResults, at?: number): void {
    this.row = row;
    this.line = line;
    this.#results = at === undefined ? undefined : results;
    this.#at = at ?? 0;
    this.#cells = null;
    this.#answers = null;
  }

  get state(): string {
    return this.#results ? this.text('state') : 'waiting';
  }

  get marks(): number {
    return Number(this.text('marks'));
  }

  text(column: ScannedColumn): string {
    return this.#results?.columns[column]?.[this.#at] ?? '';
  }

  /** Absent unless the answer is longer than what `text` gives of it. */
  get longAnswer(): readonly string[] | undefined {
    return this.#results?.longAnswers?.get(this.#at);
  }

  get cells(): readonly string[] {
    this.#cells ??= this.line === undefined ? [] : (JSON.parse(this.line) as string[]);
    return this.#cells;
  }

  /** Most of a line need not be parsed for one of its cells. */
  cell(index: number): string {
    return this.#cells?.[index] ?? cellAt(this.line ?? '', index);
  }

  /** As the grid shows them: an answer that is not split is in the first column. */
  get answers(): readonly string[] {
    this.#answers ??= this.longAnswer ?? this.#readAnswers();
    return this.#answers;
  }

  #readAnswers(): readonly string[] {
    const answer = this.text('answer');
    if (answer === '') return [];
    if (this.#outputs.length === 0) return [answer];
    if (answer.length > repeated.characters || this.#areVaried)
      return splitAnswer(answer, this.#outputs);
    const known = this.#repeated.get(answer);
    if (known) {
      this.#repetitions++;
      return known;
    }
    // What is cut from a text of many answers would keep all of them in memory.
    const own = structuredClone(answer);
    const texts = splitAnswer(own, this.#outputs);
    if (this.#repeated.size < repeated.answers) this.#repeated.set(own, texts);
    return texts;
  }

  /** Looking up an answer takes half as long as splitting it. */
  get #areVaried(): boolean {
    return this.#repeated.size >= repeated.answers && this.#repetitions < repeated.answers;
  }
}

/** Without a backslash a line of JSON has quotes only around its cells. */
export function cellAt(line: string, index: number): string {
  if (line.includes('\\')) return (JSON.parse(line) as string[])[index] ?? '';
  let start = '["'.length;
  for (let cell = 0; cell < index; cell++) {
    const end = line.indexOf('","', start);
    if (end < 0) return '';
    start = end + '","'.length;
  }
  return line.slice(start, Math.max(start, line.indexOf('"', start)));
}

/** Gives the text of a column. */
export function readerOf(column: string): (row: ScannedRow) => string {
  const [name = '', position = ''] = column.split(' ');
  const index = Number(position);
  if (name === 'sheet') return (row) => row.cell(index);
  if (name === 'answer') return ({ answers }) => answers[index] ?? '';
  if (name === 'row') return ({ row }) => String(row + 1);
  if (name === 'marks') return ({ marks }) => marksIn(marks).join(', ');
  if (name === 'state') return ({ state }) => state;
  return (row) => row.text(name as ScannedColumn);
}

export const isOfSheet = (column: string) => column.startsWith('sheet ');
