import { Readable } from 'node:stream';
import { type CsvStyle, csvCells } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import type { FileAnswer } from '../../../core/handlers.ts';
import { invariant, refuseField } from '../../../core/refusal.ts';
import {
  type CutOriginal,
  cutOriginal,
  type OriginalPiece,
} from '../../../lib/csv/append/cut-original.ts';
import {
  type EncodedText,
  type EncodeText,
  encoderFor,
} from '../../../lib/csv/append/encode-text.ts';
import { pauseEvery, yieldMilliseconds } from '../../../lib/event-loop.ts';
import * as texts from '../../../texts/batches.ts';
import { openOriginalFile } from '../../files/rows.ts';
import { derivedName, type SheetRow } from '../../files/rules.ts';
import { type FileChanges, saveFileChanges } from '../store/file-changes.ts';
import type { RowResult } from '../store/results.ts';
import { type AddedColumns, addedColumns, type ResultSource, textOf } from './added-columns.ts';
import { ResultReader } from './result-reader.ts';

/** The uploaded file byte for byte, with the answers behind each record. */
export async function unchangedFile(ctx: Context, source: ResultSource): Promise<FileAnswer> {
  const { batch, sheet } = source;
  const encode = encoderFor(sheet.encoding);
  const reason = reasonAgainst(sheet);
  if (reason) refuseField('unchanged', reason);
  if (!encode) refuseField('unchanged', texts.encodingWithState(sheet.encoding));
  const originals = [await openOriginalFile(ctx, sheet.id)];
  const content = Readable.from(appended(ctx, source, { originals, encode }));
  // Also when the client leaves before anything is read.
  content.once('close', () => {
    for (const original of originals) original.destroy();
  });
  return {
    name: derivedName(sheet.name, 'answers', { name: batch.name }),
    type: `text/csv; charset=${sheet.encoding}`,
    content,
  };
}

async function* appended(
  ctx: Context,
  source: ResultSource,
  { originals, encode }: { originals: Readable[]; encode: EncodeText },
): AsyncGenerator<Buffer> {
  const { id, rows, encoding, delimiter, header, layout, report } = source.sheet;
  const options = {
    dialect: { encoding, delimiter, header, layout },
    rows,
    keepsRepeatedHeaders: !report.problems.some(({ kind }) => kind === 'header_again'),
  };
  let surplus = 0;
  // The report counts every record with surplus cells.
  if (report.total > 0) {
    surplus = await mostSurplus(await cutOriginal(originals[0] as Readable, options));
    originals.push(await openOriginalFile(ctx, id));
  }
  const cut = await cutOriginal(originals.at(-1) as Readable, options);
  yield* new Appender(ctx, source, { cut, encode, surplus }).stream();
}

/** The most cells of a record beyond the columns. Added cells stand behind them in every record. */
async function mostSurplus({ pieces }: CutOriginal): Promise<number> {
  const pause = pauseEvery(yieldMilliseconds);
  let surplus = 0;
  for await (const some of pieces) {
    await pause();
    for (const { kind, missing } of some)
      if (kind !== 'left_out') surplus = Math.max(surplus, -missing);
  }
  return surplus;
}

/** Why no cells can be added to the file as it is, or null. */
function reasonAgainst({ layout, delimiter }: SheetRow): string | null {
  if (layout.format === 'workbook') return texts.unchangedWorkbook;
  if (layout.format === 'json_lines') return texts.unchangedJsonLines;
  return /^[\t -~]$/.test(delimiter) ? null : texts.unchangedDelimiter;
}

/** Of one part of the answer: a surplus can make the rows of a result much longer than its own. */
const partBytes = 64 * 1024;

class Appender {
  readonly #ctx: Context;
  readonly #source: ResultSource;
  readonly #cut: CutOriginal;
  readonly #encode: EncodeText;
  readonly #surplus: number;
  readonly #style: CsvStyle;
  /** As many as a record needed so far, encoded once: a surplus can need thousands in each. */
  #delimiters: { count: number; bytes: Buffer } = { count: 0, bytes: Buffer.alloc(0) };
  readonly #changes: FileChanges = { apostrophes: 0, replaced: 0 };

  constructor(
    ctx: Context,
    source: ResultSource,
    { cut, encode, surplus }: { cut: CutOriginal; encode: EncodeText; surplus: number },
  ) {
    const { delimiter, layout } = source.sheet;
    this.#ctx = ctx;
    this.#source = source;
    this.#cut = cut;
    this.#encode = encode;
    this.#surplus = surplus;
    // Readers of a file with spaces behind its delimiters skip those of a plain cell.
    const quotesAll = cut.quotesAll || layout.trim === true;
    this.#style = { delimiter, quote: layout.quote ?? '"', quotesAll };
  }

  async *stream(): AsyncGenerator<Buffer> {
    const { batch, sheet } = this.#source;
    const added = addedColumns(this.#source);
    const results = new ResultReader(this.#ctx, batch.id);
    const pause = pauseEvery(yieldMilliseconds);
    let rows = 0;
    for await (const all of this.#cut.pieces) {
      await pause();
      for await (const pieces of results.read(all)) {
        const parts: Buffer[] = [];
        let size = 0;
        for (const piece of pieces) {
          await pause();
          if (piece.row !== null) rows += 1;
          for (const part of [piece.bytes, ...this.#addedTo(piece, added)]) {
            parts.push(part);
            size += part.length;
          }
          if (size < partBytes) continue;
          yield Buffer.concat(parts.splice(0));
          size = 0;
        }
        yield Buffer.concat(parts);
      }
    }
    // Answers must never be written beside another row.
    invariant(rows === sheet.rows, 'the original has as many rows as its sheet');
    await results.end();
    await saveFileChanges(this.#ctx, batch.id, this.#changes);
  }

  #addedTo(
    { kind, missing, result }: OriginalPiece & { result: RowResult | undefined },
    { names, cells, problemAt }: AddedColumns,
  ): Buffer[] {
    if (kind === 'left_out') return [];
    // One more, because they follow the record's own cells.
    const delimiters = this.#delimitersOf(this.#surplus + missing + 1);
    if (kind === 'header') return [delimiters, this.#write(names).bytes];
    const written = kind === 'row' ? cells(result).map(textOf) : names.map(() => '');
    const { bytes, replaced } = this.#write(written, this.#changes);
    if (replaced === 0) return [delimiters, bytes];
    this.#changes.replaced += 1;
    const problem = written[problemAt] || texts.charactersReplaced(this.#source.sheet.encoding);
    return [delimiters, this.#write(written.with(problemAt, problem)).bytes];
  }

  #delimitersOf(count: number): Buffer {
    if (count > this.#delimiters.count) {
      const { bytes } = this.#encode(this.#style.delimiter.repeat(count));
      this.#delimiters = { count, bytes };
    }
    const { bytes, count: all } = this.#delimiters;
    return bytes.subarray(0, (bytes.length / all) * count);
  }

  #write(cells: readonly string[], changes?: FileChanges): EncodedText {
    return this.#encode(csvCells(cells, this.#style, changes));
  }
}
