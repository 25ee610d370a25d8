import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '../../lib/start-refused.ts';

const restore = 'Restore it from a backup, or start with another DATA_DIR.';

interface Options {
  remedy?: string;
  cause?: unknown;
}

/** Without PG_VERSION, PGlite would create an empty database over an incomplete restore. */
export class DataDirectoryDamaged extends StartRefused {
  constructor(directory: string, problem: string, { remedy = restore, cause }: Options = {}) {
    super(`${directory} cannot be used: ${problem}. ${remedy} Nothing was changed.`, { cause });
  }
}

const supportedMajor = '18';
/** PostgreSQL's control file has exactly this size and starts with a version between these. */
const controlBytes = 8192;
const controlVersions = { from: 1300, to: 2000 };
const controlVersionOffset = 8;

/** Refuses a directory that PGlite would overwrite or fail on. It need not exist. */
export function assertUsableDatabase(directory: string): void {
  if (!existsSync(directory)) return;
  const problem = findProblem(directory);
  if (problem) throw new DataDirectoryDamaged(directory, problem);
}

function findProblem(directory: string): string | null {
  const version = readIfThere(join(directory, 'PG_VERSION'))?.toString('utf8').trim();
  if (!version) return 'the file PG_VERSION is missing';
  if (version !== supportedMajor)
    return `it was written by PostgreSQL ${version}, and this version reads ${supportedMajor}`;
  const control = readIfThere(join(directory, 'global/pg_control'));
  if (control?.length !== controlBytes)
    return 'the file global/pg_control is missing or incomplete';
  const controlVersion = control.readUInt32LE(controlVersionOffset);
  const isKnown = controlVersion >= controlVersions.from && controlVersion < controlVersions.to;
  return isKnown ? null : 'the file global/pg_control is damaged';
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
