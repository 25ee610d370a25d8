/** The database or the file store cannot be reached. Callers may try again in a moment. */
export class ServiceUnavailable extends Error {
  override name = 'ServiceUnavailable';
}

/** Lasts until an operator corrects a setting. The message says which, for the log. */
export class Misconfigured extends ServiceUnavailable {
  override name = 'Misconfigured';
}

/** This process, or the machine, may open no further file. */
export const isOutOfFiles = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
