import * as texts from '../../../texts/sheets.ts';
import { ThreadFile } from '../../thread-file.ts';
import { detectEncoding } from '../detect/encoding.ts';
import { isZip } from '../detect/foreign-file.ts';
import { isDoubtfulName } from '../detect/header.ts';
import {
  type DecodingPlan,
  headerRowsOf,
  type Layout,
  planDecoding,
  planLayout,
  replanDecoding,
} from '../detect/plan.ts';
import { RecordReader } from '../read/record-reader.ts';
import { NotUtf8, openDecoding } from '../read/text-decoder.ts';
import { type ImportedSheet, type ImportInput, type ImportLimits, SheetRefused } from '../sheet.ts';
import { importJsonLines, looksLikeJson } from './import-json-lines.ts';
import { RowsWriter } from './rows-writer.ts';
import { SheetBuilder } from './sheet-builder.ts';

const chunkBytes = 512 * 1024;
const headBytes = 64 * 1024;
/** Excel's own limit: it writes as many empty cells when a column at the edge has a format. */
const mostColumns = 16_384;

/**
 * Converts an uploaded file to a rows file. Reads it once, as UTF-8 unless its first bytes say
 * otherwise. If that fails, it reads the likeliest legacy encoding, which a person must confirm.
 */
export async function importFile(input: ImportInput): Promise<ImportedSheet> {
  using source = new ThreadFile(input.source, 'r');
  const { size } = await source.stat();
  if (size > input.limits.bytes)
    throw new SheetRefused('too_large', texts.tooManyBytes(input.limits.bytes));
  if (isZip((await source.read(Buffer.alloc(4), 0)).buffer)) {
    // Loaded only for workbooks: its libraries double the start of an import.
    const { importWorkbook } = await import('./import-workbook.ts');
    return importWorkbook(input);
  }
  try {
    return await importText(source, { ...input, size });
  } catch (error) {
    throw isEmptyWorkbook(error, input)
      ? new SheetRefused('not_a_sheet', texts.notAWorkbook)
      : error;
  }
}

/** Tables of text under this name are read, so only one without rows is taken for damaged. */
function isEmptyWorkbook(error: unknown, { name = '' }: ImportInput): boolean {
  const { message } = error as Error;
  return /\.xls[xm]$/i.test(name) && (message === texts.onlyHeader || message === texts.noRows);
}

async function importText(
  source: ThreadFile,
  { size, ...input }: ImportInput & { size: number },
): Promise<ImportedSheet> {
  const { buffer, bytesRead } = await source.read(Buffer.alloc(headBytes), 0);
  const head = buffer.subarray(0, bytesRead);
  const { encoding } = detectEncoding(head, { size });
  const json = looksLikeJson(new TextDecoder(encoding).decode(head));
  if (json === 'document') throw new SheetRefused('not_a_sheet', texts.jsonDocument);
  if (json && encoding !== 'utf-8') throw new SheetRefused('unreadable', texts.jsonNotUtf8);
  if (json === 'lines') return await importJsonLines(source, { ...input, size });
  const decoding = await planDecoding(source, { size, dialect: input.dialect });
  try {
    return await readSheet(source, { ...input, size, decoding });
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    return await readSheet(source, {
      ...input,
      size,
      decoding: await replanDecoding(source, { decoding, offset: error.offset }),
    });
  }
}

async function readSheet(
  source: ThreadFile,
  input: ImportInput & { size: number; decoding: DecodingPlan },
): Promise<ImportedSheet> {
  using target = new ThreadFile(input.target, 'w');
  const { limits, decoding } = input;
  const layout = planLayout(decoding, input.dialect);
  const writer = new RowsWriter(target);
  const { delimiter, layout: found } = layout;
  const isOpenEnded = hasEmptyTail(layout, limits);
  const builder = new SheetBuilder({
    limits,
    delimiter,
    usualColumns: isOpenEnded ? 0 : layout.usualColumns,
    isOpenEnded,
    profile: isOpenEnded ? [] : layout.profile,
    headerRows: headerRowsOf(layout, input.dialect),
    skip: found.skip_rows,
    comment: found.comment,
    writer,
    targetBytes: limits.growth * input.size,
  });
  const reader = new RecordReader({
    delimiter,
    quote: found.quote,
    trim: found.trim,
    firstLine: layout.firstLine,
    limits: {
      ...limits,
      columns: isOpenEnded ? mostColumns : limits.columns,
      emptyLines: limits.rows,
    },
    take: (record) => builder.add(record),
  });
  await readThrough(source, { decoding, skip: layout.skip, builder, reader, writer });
  const isDetected = input.dialect?.header === undefined;
  return describe({ decoding, layout, builder, reader, isDetected });
}

/**
 * Whether only empty cells are beyond the allowed columns. Comments are told by the length of their
 * line, so a file with them is left as it is.
 */
function hasEmptyTail(
  { usualColumns, filledColumns, layout }: Layout,
  { columns }: ImportLimits,
): boolean {
  const isTable = filledColumns > 0 && filledColumns <= columns;
  return usualColumns > columns && isTable && !layout.comment;
}

interface Parts {
  decoding: DecodingPlan;
  builder: SheetBuilder;
  reader: RecordReader;
  writer: RowsWriter;
}

async function readThrough(
  source: ThreadFile,
  { decoding, skip, builder, reader, writer }: Parts & { skip: number },
) {
  const decoder = openDecoding(decoding.encoding, decoding);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let position = decoding.from;
  let left = skip;
  const push = (text: string) => {
    builder.isDamaged ||= text.includes('\ufffd');
    reader.push(left > 0 ? text.slice(left) : text);
    left = Math.max(0, left - text.length);
  };
  const next = async () => {
    const { bytesRead } = await source.read(buffer, position);
    position += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  for (let chunk = await next(); chunk.length > 0; ) {
    const text = decoder.decode(chunk);
    // The text is a copy, so the buffer can be refilled while the text is parsed.
    const traffic = Promise.all([next(), writer.drain()]);
    try {
      push(text);
    } finally {
      [chunk] = await traffic;
    }
  }
  push(decoder.end());
  reader.end();
  await writer.end();
}

function describe({
  decoding,
  layout,
  builder,
  reader,
  isDetected,
}: Omit<Parts, 'writer'> & { layout: Layout; isDetected: boolean }): ImportedSheet {
  const { report, blank, columns, sample, hasHeader } = builder;
  builder.summarise();
  if (isDetected && hasHeader && isDoubtfulName([builder.given.slice(), ...sample]))
    report.summarise('header_guess', { count: 1, line: layout.firstLine }, () =>
      texts.headerGuess(columns[0] ?? ''),
    );
  report.summarise('empty_line', reader.empty, texts.emptyLines);
  report.summarise('blank_row', blank, texts.blankRows);
  report.summarise('nul', reader.nuls, texts.nulCharacters);
  return {
    dialect: {
      encoding: decoding.encoding,
      delimiter: layout.delimiter,
      header: hasHeader,
      layout: layout.layout,
    },
    worksheets: [],
    isSure: layout.candidates.length === 0,
    candidates: layout.candidates,
    ...builder.result(),
  };
}
