import { type FileHandle, open } from 'node:fs/promises';
import { SheetBuilder } from './build-sheet.ts';
import { NotUtf8, openDecoding } from './decode-text.ts';
import {
  type Layout,
  planLayout,
  planReading,
  type Reading,
  replanReading,
} from './plan-reading.ts';
import { RecordReader } from './read-records.ts';
import { RowsWriter } from './rows-writer.ts';
import type { ImportedSheet, ImportInput } from './sheet.ts';
import { inWords, SheetRefused } from './sheet-refused.ts';

export { rowsPerSlice } from './rows-writer.ts';
export type { Dialect, ImportedSheet, ImportInput, ImportLimits } from './sheet.ts';
export { SheetRefused } from './sheet-refused.ts';

const chunkBytes = 512 * 1024;

/**
 * Makes a rows file of an uploaded file. It is read once, as UTF-8 unless its first bytes say otherwise; only where that
 * proves wrong is it read again, in the likeliest of the older encodings and with a question to a person.
 */
export async function importFile(input: ImportInput): Promise<ImportedSheet> {
  await using source = await open(input.source);
  const { size } = await source.stat();
  if (size > input.limits.bytes)
    throw new SheetRefused(
      'too_large',
      `The file holds more than ${inWords(input.limits.bytes)} bytes.`,
    );
  const reading = await planReading(source, { size, dialect: input.dialect });
  try {
    return await readSheet(source, { ...input, reading });
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    return await readSheet(source, {
      ...input,
      reading: await replanReading(source, { reading, offset: error.offset }),
    });
  }
}

async function readSheet(
  source: FileHandle,
  input: ImportInput & { reading: Reading },
): Promise<ImportedSheet> {
  await using target = await open(input.target, 'w');
  const { limits, reading } = input;
  const layout = planLayout(reading, input.dialect);
  const writer = new RowsWriter(target);
  const { delimiter, usualColumns } = layout;
  const builder = new SheetBuilder({
    limits,
    delimiter,
    usualColumns,
    header: input.dialect?.header,
    writer,
  });
  const reader = new RecordReader({
    delimiter,
    firstLine: layout.firstLine,
    limits: { ...limits, emptyLines: limits.rows },
    take: (record) => builder.take(record),
  });
  await readThrough(source, { reading, skip: layout.skip, builder, reader, writer });
  return summarise({ reading, layout, builder, reader, writer });
}

interface Parts {
  reading: Reading;
  builder: SheetBuilder;
  reader: RecordReader;
  writer: RowsWriter;
}

async function readThrough(
  source: FileHandle,
  { reading, skip, builder, reader, writer }: Parts & { skip: number },
) {
  const decoding = openDecoding(reading.encoding, reading);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let position = reading.from;
  let left = skip;
  const push = (text: string) => {
    builder.isDamaged ||= text.includes('\ufffd');
    reader.push(left > 0 ? text.slice(left) : text);
    left = Math.max(0, left - text.length);
  };
  const next = async () => {
    const { bytesRead } = await source.read(buffer, 0, chunkBytes, position);
    position += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  for (let chunk = await next(); chunk.length > 0; ) {
    const text = decoding.decode(chunk);
    // Text keeps nothing of the buffer, so that it is filled again while the text is read.
    const traffic = Promise.all([next(), writer.drain()]);
    try {
      push(text);
    } finally {
      [chunk] = await traffic;
    }
  }
  push(decoding.end());
  reader.end();
  await writer.end();
}

function summarise({
  reading,
  layout,
  builder,
  reader,
  writer,
}: Parts & { layout: Layout }): ImportedSheet {
  const { report, rows, blank, columns, sample, hasHeader } = builder;
  if (rows === 0) throw new SheetRefused('unreadable', 'The file holds no rows.');
  const tell = (
    kind: string,
    { count, line }: { count: number; line: number | null },
    what: string,
  ) => {
    if (count > 0) report.summarise({ kind, line, message: `${what}: ${inWords(count)}.` });
  };
  tell('empty_line', reader.empty, 'Empty lines left out');
  tell('blank_row', blank, 'Rows with nothing but blank cells');
  tell('nul', reader.nuls, 'NUL characters left out');
  return {
    dialect: { encoding: reading.encoding, delimiter: layout.delimiter, header: hasHeader },
    isSure: layout.candidates.length === 0,
    candidates: layout.candidates,
    columns,
    rows,
    blankRows: blank.count,
    offsets: writer.offsets,
    sample,
    report: report.end(),
  };
}
