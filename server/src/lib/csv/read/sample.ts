import { SheetRefused } from '../sheet.ts';
import { RecordReader } from './record-reader.ts';

interface SampleDialect {
  delimiter: string;
  quote?: string;
  trim?: boolean;
  isWhole: boolean;
}

/** The complete records at the start of a text. Only reading the file reports problems. */
export function readSample(text: string, { isWhole, ...dialect }: SampleDialect): string[][] {
  const records: string[][] = [];
  const limits = {
    recordBytes: Number.MAX_SAFE_INTEGER,
    columns: 100_000,
    emptyLines: Number.MAX_SAFE_INTEGER,
  };
  const reader = new RecordReader({
    ...dialect,
    firstLine: 1,
    limits,
    take: ({ cells }) => records.push(cells),
  });
  try {
    reader.push(text);
    if (isWhole) reader.end();
  } catch (error) {
    if (!(error instanceof SheetRefused)) throw error;
  }
  return records;
}
