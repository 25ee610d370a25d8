import { type PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { CellCuts } from './cell-cuts.ts';
import { cellXml, columnLetters, type TypedCell, typedCellXml } from './cell-xml.ts';
import { partsAround, sheetEnd, sheetPath, sheetStart } from './workbook-parts.ts';

/** The rows of one sheet of a workbook, header included. */
export const maximumWorkbookRows = 1_048_576;

export type TableCell = string | TypedCell;

interface Table {
  /** In chunks of any size. A bare string is a text cell. */
  rows: AsyncIterable<readonly TableCell[][]>;
  hasHeader: boolean;
  writtenAt: Date;
}

/**
 * Streams a workbook while its rows arrive, never complete in memory, compressed in another thread.
 * Its other parts come last, because only then it is known whether the sheet of notes is needed.
 */
export function writeWorkbook({ rows, hasHeader, writtenAt }: Table): Readable {
  const zip = new ZipFile();
  const options = { mtime: writtenAt };
  const cuts = new CellCuts();
  const results = Readable.from(sheetXml(rows, cuts, hasHeader));
  zip.addReadStream(results, sheetPath(0), options);
  results.once('end', () => {
    const notes = cuts.notes();
    if (notes)
      zip.addReadStream(Readable.from(sheetXml([notes], cuts, false)), sheetPath(1), options);
    for (const [path, xml] of Object.entries(partsAround(notes ? 2 : 1)))
      zip.addBuffer(Buffer.from(xml), path, options);
    zip.end();
  });
  // Its type hides that either side can destroy this stream.
  const file = zip.outputStream as PassThrough;
  results.once('error', (error) => file.destroy(error));
  file.once('close', () => results.destroy());
  return file;
}

async function* sheetXml(
  chunks: AsyncIterable<readonly TableCell[][]> | Iterable<readonly TableCell[][]>,
  cuts: CellCuts,
  hasHeader: boolean,
): AsyncGenerator<string> {
  yield sheetStart(hasHeader);
  let line = 0;
  for await (const rows of chunks) {
    let xml = '';
    for (const cells of rows) {
      line += 1;
      xml += rowXml(cells, line, cuts);
    }
    yield xml;
  }
  yield sheetEnd;
}

/** Empty cells are omitted. */
function rowXml(cells: readonly TableCell[], line: number, cuts: CellCuts): string {
  let xml = `<row r="${line}">`;
  for (const [index, cell] of cells.entries()) {
    const text = typeof cell === 'string' ? cell : cell.text;
    if (text === '') continue;
    const reference = `${columnLetters(index)}${line}`;
    const typed = typeof cell === 'string' ? null : typedCellXml(reference, cell);
    xml += typed ?? cellXml(reference, cuts.fit(text, reference));
  }
  return `${xml}</row>`;
}
