import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cutWhole, readRows, usualLimits } from '../server/harness/test-sheet.ts';
import { importFile } from '../server/src/lib/csv/import/import-file.ts';
import { type Dialect, SheetRefused } from '../server/src/lib/csv/sheet.ts';

const corpora = process.argv[2] ?? process.env.SHEET_CORPORA;
if (!corpora || !existsSync(corpora)) {
  process.stdout.write(
    'No test files. Unpack the published collections (workbooks, pollock, csv-spectrum) into a folder and name it:\n  npm run bench -- sheets FOLDER\n',
  );
  process.exit(corpora ? 1 : 0);
}

const scratch = await mkdtemp(join(tmpdir(), 'sheets-bench-'));
try {
  await scoreWorkbooks(join(corpora, 'workbooks', 'workbooks'));
  await scoreSpectrum(join(corpora, 'csv-spectrum'));
  await scorePollock(join(corpora, 'pollock'));
} finally {
  await rm(scratch, { recursive: true });
}

/** No rows when the file has none; null when it is refused for another reason. */
async function load(source: string, dialect?: Partial<Dialect>) {
  const target = join(scratch, 'rows.jsonl');
  try {
    const sheet = await importFile({ source, target, limits: usualLimits, dialect });
    const { columns, isSure, report } = sheet;
    const stored = await readRows(target, { from: 0, to: sheet.offsets.at(-1) ?? 0 });
    const missing = (row: string[]) => Array<string>(columns.length - row.length).fill('');
    const rows = stored.map((row) => [...row, ...missing(row)]);
    return {
      columns: sheet.dialect.header ? columns : [],
      rows,
      /** The page asked nothing and reported no change. */
      isSilent: isSure && report.total === 0,
      dialect: sheet.dialect,
    };
  } catch (error) {
    if (!(error instanceof SheetRefused)) throw error;
    return /no rows/.test(error.message) ? { columns: [], rows: [], isSilent: false } : null;
  }
}

async function filledRows(source: string, dialect: Partial<Dialect>): Promise<string[][]> {
  const rows = (await load(source, dialect))?.rows ?? [];
  return rows.filter((row) => row.some((cell) => cell !== ''));
}

/** Every sheet of every workbook against the CSV that a spreadsheet program made of it. */
async function scoreWorkbooks(folder: string): Promise<void> {
  if (!existsSync(folder)) return print('workbooks: not there');
  let [sheets, equal, cells, same] = [0, 0, 0, 0];
  for (const name of readdirSync(folder)) {
    const [, workbook, number] = /^(.+\.xlsx)\.(\d+)\.csv$/.exec(name) ?? [];
    if (!workbook) continue;
    const csv = join(folder, name);
    const wanted =
      readFileSync(csv).length === 0
        ? []
        : await filledRows(csv, { header: false, delimiter: ',' });
    const layout = { worksheet: Number(number) };
    const found = await filledRows(join(folder, workbook), { header: false, layout });
    const differences = differencesOf(wanted, found);
    const count = wanted.reduce((sum, row) => sum + row.length, 0);
    sheets += 1;
    cells += count;
    same += count - differences.length;
    if (differences.length === 0) equal += 1;
    for (const difference of differences) print(`  ${name} ${difference}`);
  }
  print(`workbooks: ${equal} of ${sheets} sheets equal; ${same} of ${cells} cells`);
}

function differencesOf(wanted: readonly string[][], found: readonly string[][]): string[] {
  const differences: string[] = [];
  for (let row = 0; row < Math.max(wanted.length, found.length); row += 1)
    for (let at = 0; at < Math.max(wanted[row]?.length ?? 0, found[row]?.length ?? 0); at += 1) {
      const [want, got] = [wanted[row]?.[at] ?? '', found[row]?.[at] ?? ''];
      if (!isShownAs(want, got))
        differences.push(`row ${row + 1}, cell ${at + 1}: ${JSON.stringify([want, got])}`);
    }
  return differences;
}

/**
 * The CSV files come from an American Mac of 2013: it wrote unknown letters as `_`, line ends in
 * cells as a carriage return, and dates outside its calendar as `####`. It wrote dates in the
 * American format; we write 2013-06-09.
 */
function isShownAs(wanted: string, found: string): boolean {
  const [want, got] = [wanted, found].map((text) => text.replaceAll(/\r\n?/g, '\n')) as [
    string,
    string,
  ];
  if (/^#{20,}$/.test(want)) return /^-?\d[\d.]*$/.test(got);
  if (want === got || want === asInAmerica(got)) return true;
  return (
    want.length === got.length &&
    [...want].every(
      (letter, at) => letter === got[at] || (letter === '_' && got.charCodeAt(at) > 127),
    )
  );
}

function asInAmerica(date: string): string {
  const [, year, month, day, hour, minute] =
    /^\d\d(\d\d)-(\d\d)-(\d\d)(?: (\d\d):(\d\d))?$/.exec(date) ?? [];
  const time = hour ? ` ${Number(hour)}:${minute}` : '';
  return `${Number(month)}/${Number(day)}/${year}${time}`;
}

/** Each file against its JSON. `location_coordinates` spells a name differently in its CSV. */
async function scoreSpectrum(folder: string): Promise<void> {
  if (!existsSync(folder)) return print('csv-spectrum: not there');
  const names = readdirSync(join(folder, 'csvs')).map((name) => name.replace('.csv', ''));
  const wrong: string[] = [];
  for (const name of names) {
    const wanted = JSON.parse(readFileSync(join(folder, 'json', `${name}.json`), 'utf8')) as Record<
      string,
      string
    >[];
    const loaded = await load(join(folder, 'csvs', `${name}.csv`));
    const found = loaded?.rows.map((row) =>
      Object.fromEntries(row.map((cell, at) => [loaded.columns[at], cell])),
    );
    const plain = (rows: unknown) => JSON.stringify(rows).replaceAll('\\r\\n', '\\n');
    if (plain(found) !== plain(wanted)) wrong.push(name);
  }
  print(
    `csv-spectrum: ${names.length - wrong.length} of ${names.length} files; not ${wrong.join(', ')}`,
  );
}

/** The ten measures: loaded; precision, recall and F1 of header cells, records and cells. */
async function scorePollock(folder: string): Promise<void> {
  if (!existsSync(folder)) return print('Pollock: not there');
  const weights = JSON.parse(readFileSync(join(folder, 'pollock_weights.json'), 'utf8')) as Record<
    string,
    number
  >;
  let [files, sum, weight, weighted, silent, changed] = [0, 0, 0, 0, 0, 0];
  const lost: [name: string, score: number, weight: number][] = [];
  for (const name of readdirSync(join(folder, 'polluted_files', 'csv'))) {
    const clean = join(folder, 'polluted_files', 'clean', name);
    const hasHeader = name !== 'file_no_header.csv';
    const wanted = await load(clean, { delimiter: ',', header: false });
    const [header, ...records] = hasHeader ? (wanted?.rows ?? []) : [[], ...(wanted?.rows ?? [])];
    const polluted = join(folder, 'polluted_files', 'csv', name);
    const loaded = await load(polluted);
    if (loaded?.dialect && !(await isCutExactly(polluted, loaded))) {
      changed += 1;
      print(`  not cut into its rows: ${name}`);
    }
    const score = loaded
      ? 1 +
        threeMeasures([header ?? []], [loaded.columns]) +
        threeMeasures(joined(records), joined(loaded.rows)) +
        threeMeasures(records, loaded.rows)
      : 0;
    const its = weights[name] ?? 0;
    files += 1;
    sum += score;
    weight += its;
    weighted += score * its;
    if (score < 10 && loaded?.isSilent) {
      silent += 1;
      print(`  sure and wrong: ${name} ${score.toFixed(3)}`);
    }
    if (score < 10) lost.push([name, score, its]);
  }
  lost.sort((one, other) => (10 - other[1]) * other[2] - (10 - one[1]) * one[2]);
  for (const [name, score, its] of lost.slice(0, 12))
    print(`  ${name}: ${score.toFixed(3)}, costs ${(((10 - score) * its) / weight).toFixed(4)}`);
  print(
    `Pollock: ${(sum / files).toFixed(3)} simple, ${(weighted / weight).toFixed(3)} weighted, ${files} files, ${silent} sure and wrong, ${changed} changed by adding columns`,
  );
}

/** The pieces after which answers are added are the whole file, one for each row. */
async function isCutExactly(
  file: string,
  { dialect, rows }: { dialect?: Dialect; rows: string[][] },
): Promise<boolean> {
  if (!dialect) return true;
  const cut = await cutWhole(createReadStream(file), dialect);
  return cut.bytes.equals(readFileSync(file)) && cut.rows === rows.length;
}

function joined(rows: readonly string[][]): string[][] {
  return rows.map((row) => [row.map((cell) => cell || 'null').join('')]);
}

/** Precision, recall and F1 of the cells of two tables, whatever their order. */
function threeMeasures(wanted: readonly string[][], found: readonly string[][]): number {
  const want = wanted.flat();
  if (want.length === 0) return 3;
  const counts = new Map<string, number>();
  for (const cell of want) counts.set(cell.trim(), (counts.get(cell.trim()) ?? 0) + 1);
  let common = 0;
  for (const cell of found.flat()) {
    const left = counts.get(cell.trim()) ?? 0;
    if (left === 0) continue;
    counts.set(cell.trim(), left - 1);
    common += 1;
  }
  if (common === 0) return 0;
  const [precision, recall] = [common / want.length, common / found.flat().length];
  return precision + recall + (2 * precision * recall) / (precision + recall);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
