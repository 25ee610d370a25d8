interface Options extends ErrorOptions {
  exitCode?: number;
}

/** The product cannot start. The message says why, and what to do. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
  readonly exitCode: number;

  constructor(message: string, { exitCode = 2, ...options }: Options = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
