/** The database or the file store cannot be reached. Callers may try again in a moment. */
export class ServiceUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceUnavailable';
  }
}
