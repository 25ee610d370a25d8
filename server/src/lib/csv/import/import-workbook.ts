import * as texts from '../../../texts/sheets.ts';
import { ThreadFile } from '../../thread-file.ts';
import { PackedParts } from '../../workbook/packed-parts.ts';
import { readWorksheet } from '../../workbook/read-worksheet.ts';
import { readWorkbook, type Workbook } from '../../workbook/workbook.ts';
import { chosenOr, headerRowsOf, layoutOf } from '../detect/plan.ts';
import { planTable } from '../detect/table.ts';
import type { CsvRecord } from '../read/record-reader.ts';
import {
  type Candidate,
  type ImportedSheet,
  type ImportInput,
  SheetRefused,
  type Worksheet,
} from '../sheet.ts';
import { RowsWriter } from './rows-writer.ts';
import { SheetBuilder } from './sheet-builder.ts';

/** The table is read as if it were a comma-separated file of these. */
const delimiter = ',';
const encoding = 'utf-8';
const maximumCandidates = 5;
const sampleRows = 5;
/** Enough to find the header below titles. */
const rowsForPlan = 100;
/** And enough of long rows: 200 sheets of them filled the thread's memory. */
const charactersForPlan = 64 * 1024;
/** Excel sets no limit, but a longer list is of no use. */
const maximumSheets = 200;

/** Reads one sheet of a workbook. With several filled sheets it asks which, showing the first. */
export async function importWorkbook(input: ImportInput): Promise<ImportedSheet> {
  await using parts = await PackedParts.open(input.source);
  const workbook = await readWorkbook(parts);
  const samples = await readSamples(parts, workbook, input);
  const worksheets = samples.map(({ sample, ...sheet }) => ({
    ...sheet,
    filled: sample.length > 0,
  }));
  const filled = [...samples.keys()].filter((index) => worksheets[index]?.filled);
  const visible = filled.filter((index) => !worksheets[index]?.hidden);
  const choices = tablesOf(visible.length > 0 ? visible : filled, samples);
  const chosen = input.dialect?.layout?.worksheet;
  const worksheet = chosen ?? choices[0];
  if (worksheet === undefined) throw new SheetRefused('unreadable', texts.workbookWithoutSheet);
  if (!worksheets[worksheet]) throw new SheetRefused('unreadable', texts.noSuchWorksheet);
  if (!worksheets[worksheet].filled) throw new SheetRefused('unreadable', texts.noRows);
  const isSure = chosen !== undefined || choices.length === 1;
  const candidates = isSure ? [] : choices.slice(0, maximumCandidates);
  using target = new ThreadFile(input.target, 'w');
  return {
    ...(await readRows(target, {
      parts,
      workbook,
      worksheet,
      input,
      sample: samples[worksheet]?.sample ?? [],
    })),
    isSure,
    worksheets,
    candidates: candidates.map((worksheet) => candidateOf(samples, worksheet)),
  };
}

interface Sample extends Omit<Worksheet, 'filled'> {
  sample: string[][];
}

/** The first rows of each sheet. Each reading stops as soon as it has them. */
async function readSamples(
  parts: PackedParts,
  workbook: Workbook,
  { limits }: ImportInput,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const { name, isHidden: hidden, path } of workbook.sheets.slice(0, maximumSheets)) {
    const sample: string[][] = [];
    let characters = 0;
    const take = ({ cells, length }: CsvRecord) => {
      characters += length;
      return sample.push(cells) < rowsForPlan && characters < charactersForPlan;
    };
    await readWorksheet({ parts, workbook, path, limits: { ...limits, columns: Infinity }, take });
    samples.push({ name, hidden, sample });
  }
  return samples;
}

/** Without covers and headers that have nothing below them, if there are others. */
function tablesOf(sheets: readonly number[], samples: readonly Sample[]): readonly number[] {
  const tables = sheets.filter((index) => (samples[index]?.sample.length ?? 0) > 1);
  return tables.length > 0 ? tables : sheets;
}

function candidateOf(samples: readonly Sample[], worksheet: number): Candidate {
  return {
    encoding,
    delimiter,
    worksheet,
    sample: samples[worksheet]?.sample.slice(0, sampleRows) ?? [],
  };
}

interface Source {
  parts: PackedParts;
  workbook: Workbook;
  worksheet: number;
  /** Its first rows. */
  sample: string[][];
  input: ImportInput;
}

async function readRows(
  target: ThreadFile,
  { parts, workbook, worksheet, input, sample: sampleOf }: Source,
) {
  const { limits, dialect } = input;
  const writer = new RowsWriter(target);
  // Every row of a workbook is read, so a row that begins like a comment is a title.
  const table = planTable(sampleOf, { ...dialect, hasComments: false });
  const found = chosenOr(layoutOf(table), dialect?.layout ?? {});
  const builder = new SheetBuilder({
    limits,
    delimiter,
    isOpenEnded: true,
    usualColumns: 0,
    headerRows: headerRowsOf({ layout: found, headerRows: table.headerRows }, dialect),
    skip: found.skip_rows,
    writer,
    targetBytes: limits.growth * limits.bytes,
  });
  const { merged, withoutResult } = await readWorksheet({
    parts,
    workbook,
    path: workbook.sheets[worksheet]?.path ?? '',
    limits,
    take(record) {
      builder.add(record);
      return true;
    },
    afterPiece: () => writer.drain(),
  });
  await writer.end();
  const { report, hasHeader } = builder;
  builder.summarise();
  report.summarise('blank_row', builder.blank, texts.blankRows);
  report.summarise('merged', { count: merged, line: null }, texts.mergedCells);
  report.summarise('no_result', withoutResult, texts.formulasWithoutResult);
  return {
    dialect: {
      encoding,
      delimiter,
      header: hasHeader,
      layout: { ...found, format: 'workbook' as const, worksheet },
    },
    ...builder.result(),
  };
}
