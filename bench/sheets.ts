import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFile } from '../server/src/lib/csv/import/import-file.ts';
import { type Dialect, SheetRefused } from '../server/src/lib/csv/sheet.ts';
import { readRows, usualLimits } from '../server/src/lib/csv/test-sheet.ts';

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
} finally {
  await rm(scratch, { recursive: true });
}

/** The rows with text, without empty cells at their end; none when the file has none. */
async function load(source: string, dialect?: Partial<Dialect>): Promise<string[][]> {
  const target = join(scratch, 'rows.jsonl');
  try {
    const sheet = await importFile({ source, target, limits: usualLimits, dialect });
    const rows = await readRows(target, { from: 0, to: sheet.offsets.at(-1) ?? 0 });
    return rows.filter((row) => row.some((cell) => cell !== ''));
  } catch (error) {
    if (error instanceof SheetRefused && /no rows/.test(error.message)) return [];
    throw error;
  }
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
      readFileSync(csv).length === 0 ? [] : await load(csv, { header: false, delimiter: ',' });
    const layout = { worksheet: Number(number) };
    const found = await load(join(folder, workbook), { header: false, layout });
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
 * The CSV files come from a Mac of 2013: it wrote letters beyond its own as `_`, line ends in cells as a carriage return,
 * and dates outside its calendar as `####`.
 */
function isShownAs(wanted: string, found: string): boolean {
  const [want, got] = [wanted, found].map((text) => text.replaceAll(/\r\n?/g, '\n')) as [
    string,
    string,
  ];
  if (/^#{20,}$/.test(want)) return /^-?\d[\d.]*$/.test(got);
  if (want === got) return true;
  return (
    want.length === got.length &&
    [...want].every(
      (letter, at) => letter === got[at] || (letter === '_' && got.charCodeAt(at) > 127),
    )
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
