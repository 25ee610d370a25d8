/** The database or the file store cannot be reached. Callers may try again in a moment. */
export class ServiceUnavailable extends Error {
  override name = 'ServiceUnavailable';
}

/** Lasts until an operator corrects a setting. The message says which, for the log. */
export class Misconfigured extends ServiceUnavailable {
  override name = 'Misconfigured';
}
