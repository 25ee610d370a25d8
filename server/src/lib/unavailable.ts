/** The database or the file store cannot be reached. Callers may try again in a moment. */
export class ServiceUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceUnavailable';
  }
}

/** Lasts until an operator corrects a setting. The message says which, for the log. */
export class Misconfigured extends ServiceUnavailable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Misconfigured';
  }
}
