import * as texts from '../../../texts/sheets.ts';
import { ThreadFile } from '../../thread-file.ts';
import { type ImportedSheet, type ImportInput, SheetRefused } from '../sheet.ts';
import { RowsWriter } from './rows-writer.ts';
import { SheetBuilder } from './sheet-builder.ts';

const chunkBytes = 512 * 1024;
const encoding = 'utf-8';
const delimiter = ',';

/** Fewer characters than the bytes of a head that is full. */
const longestHead = 16 * 1024;

type JsonObject = Readonly<Record<string, unknown>>;

/** One JSON object a line, each key a column. A first pass finds keys, a second writes rows. */
export async function importJsonLines(
  source: ThreadFile,
  input: ImportInput & { size: number },
): Promise<ImportedSheet> {
  const { limits } = input;
  const keys = new Set<string>();
  for await (const { object, text, line } of readObjects(source, limits.recordBytes)) {
    if (Object.keys(object).some((key) => !keys.has(key)))
      for (const key of keysInOrder(object, text)) keys.add(key);
    if (keys.size > limits.columns)
      throw new SheetRefused('too_large', texts.tooManyColumns(limits.columns), line);
  }
  const columns = [...keys];
  using target = new ThreadFile(input.target, 'w');
  const writer = new RowsWriter(target);
  const builder = new SheetBuilder({
    limits,
    delimiter,
    headerRows: 1,
    usualColumns: columns.length,
    writer,
    targetBytes: limits.growth * input.size,
  });
  builder.add(recordOf(columns, 1));
  const nuls: { count: number; line: number | null } = { count: 0, line: null };
  for await (const { object, line } of readObjects(source, limits.recordBytes)) {
    const values = columns.map((key) => textOf(Object.hasOwn(object, key) ? object[key] : null));
    const record = recordOf(values, line);
    const removed = values.reduce((sum, value) => sum + value.length, -record.length);
    if (removed > 0) nuls.line ??= line;
    nuls.count += removed;
    builder.isDamaged ||= record.cells.some((cell) => cell.includes('\ufffd'));
    builder.add(record);
    if (builder.rows % rowsPerDrain === 0) await writer.drain();
  }
  await writer.end();
  builder.summarise();
  builder.report.summarise('blank_row', builder.blank, texts.blankRows);
  builder.report.summarise('nul', nuls, texts.nulCharacters);
  return {
    dialect: { encoding, delimiter, header: true, layout: { format: 'json_lines' } },
    isSure: true,
    candidates: [],
    worksheets: [],
    ...builder.result(),
  };
}

const rowsPerDrain = 1000;

/** JSON over several lines is not a table. The head may end within a long first line. */
export function looksLikeJson(head: string): 'lines' | 'document' | null {
  const text = head.replace(/^\ufeff/, '').trimStart();
  if (!/^(?:\{\s*["}]|\[\s*["{[])/.test(text)) return null;
  const [line = ''] = text.split('\n', 1);
  const isCut = line.length === text.length && text.length >= longestHead && line.startsWith('{');
  return isCut || parseObject(line) ? 'lines' : 'document';
}

/** JSON can escape a NUL or half a surrogate pair, which no database stores. */
function recordOf(texts: string[], line: number) {
  const cells = texts.map((text) => text.replaceAll('\0', '').toWellFormed());
  const length = cells.reduce((sum, cell) => sum + cell.length, 0);
  return { cells, line, lastLine: line, strayCell: -1, length };
}

async function* readObjects(source: ThreadFile, recordBytes: number) {
  let line = 0;
  for await (const whole of readLines(source, recordBytes)) {
    line += 1;
    // Also without the byte order mark of each file that was joined to another.
    const text = whole.trim();
    if (text === '') continue;
    const object = parseObject(text);
    if (!object) throw new SheetRefused('unreadable', texts.notAJsonObject, line);
    yield { object, text, line };
  }
}

async function* readLines(source: ThreadFile, recordBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let rest = '';
  for (let position = 0; ; ) {
    const { bytesRead } = await source.read(buffer, position);
    position += bytesRead;
    const lines = (
      rest + decoder.decode(buffer.subarray(0, bytesRead), { stream: bytesRead > 0 })
    ).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > recordBytes)
      throw new SheetRefused('too_large', texts.longRecord(recordBytes));
    if (bytesRead === 0) break;
  }
  yield rest;
}

/** Node has both; their types do not know it yet. */
const { parse, rawJSON } = JSON as unknown as {
  parse: (
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  rawJSON: (source: string) => object;
};

/** Numbers keep the digits of the file, also those that a computer number cannot hold. */
function parseObject(line: string): JsonObject | null {
  try {
    const value = parse(line, (_, value, { source }) =>
      typeof value === 'number' && source !== undefined && String(value) !== source
        ? rawJSON(source)
        : value,
    );
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}

const numberedKey = /(?<!\\)"(?=\d+"\s*:)/g;
/** Part of no text. */
const noCharacter = '\uffff';

/** Objects list keys that are whole numbers first; behind another character they stay in order. */
function keysInOrder(object: JsonObject, text: string): string[] {
  const keys = Object.keys(object);
  if (!/^\d+$/.test(keys[0] ?? '')) return keys;
  const ordered = parseObject(text.replaceAll(numberedKey, `"${noCharacter}`)) ?? object;
  return Object.keys(ordered).map((key) => key.replace(noCharacter, ''));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
}
