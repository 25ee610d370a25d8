import { type PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { CellCuts } from './cell-cuts.ts';
import { cellXml, columnLetters } from './cell-xml.ts';
import { fixedParts, sheetEnd, sheetPath, sheetStart } from './workbook-parts.ts';

/** What one sheet of a workbook can hold, its header among them. */
export const workbookRows = 1_048_576;

interface Table {
  /** In portions, as they come. */
  rows: AsyncIterable<readonly string[][]>;
  hasHeader: boolean;
  writtenAt: Date;
}

/**
 * A workbook of text cells, written while its rows come: it is never whole in memory, and packed beside the main thread.
 * The sheet of notes comes after the rows, for only then it is known what had to be cut.
 */
export function writeWorkbook({ rows, hasHeader, writtenAt }: Table): Readable {
  const zip = new ZipFile();
  const options = { mtime: writtenAt };
  const cuts = new CellCuts();
  const results = Readable.from(sheetXml(rows, cuts, hasHeader));
  zip.addReadStream(results, sheetPath(0), options);
  zip.addReadStreamLazy(sheetPath(1), options, (give) =>
    give(null, Readable.from(sheetXml([cuts.notes()], cuts, false))),
  );
  for (const [path, xml] of Object.entries(fixedParts))
    zip.addBuffer(Buffer.from(xml), path, options);
  zip.end();
  // What its types do not tell: it is a stream that can be ended by either side.
  const file = zip.outputStream as PassThrough;
  results.once('error', (error) => file.destroy(error));
  file.once('close', () => results.destroy());
  return file;
}

async function* sheetXml(
  portions: AsyncIterable<readonly string[][]> | Iterable<readonly string[][]>,
  cuts: CellCuts,
  hasHeader: boolean,
): AsyncGenerator<string> {
  yield sheetStart(hasHeader);
  let line = 0;
  for await (const rows of portions) {
    let xml = '';
    for (const cells of rows) {
      line += 1;
      xml += rowXml(cells, line, cuts);
    }
    yield xml;
  }
  yield sheetEnd;
}

/** A cell without text is left out. */
function rowXml(cells: readonly string[], line: number, cuts: CellCuts): string {
  let xml = `<row r="${line}">`;
  for (const [index, text] of cells.entries()) {
    if (text === '') continue;
    const reference = `${columnLetters(index)}${line}`;
    xml += cellXml(reference, cuts.fit(text, reference));
  }
  return `${xml}</row>`;
}
