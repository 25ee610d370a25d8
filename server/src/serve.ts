import { join } from 'node:path';
import { startApp } from './app.ts';
import { type Config, parseConfig } from './config/config.ts';
import { isStartedByNpm, readEnvironment, variableNames } from './config/env.ts';
import { assertEnoughOpenFiles, makeDataDirectory } from './config/start-needs.ts';
import { unknownSettings } from './config/unknown-settings.ts';
import type { Context } from './core/context.ts';
import { refusedByDatabase } from './db/connect.ts';
import { demoPeople } from './demo/demo-people.ts';
import { assertInvoiceFont } from './domains/billing/invoices/invoice-pdf.ts';
import { StartRefused } from './lib/start-refused.ts';

/** A shutdown that takes longer is cut off; orchestrators usually kill after 30 s. */
const shutdownMilliseconds = 25_000;
const parentPollMilliseconds = 500;
const parent = process.ppid;

/** Starts the product. From then on a signal stops it in order. */
export async function serve(onSignal: { stop: () => void }): Promise<void> {
  try {
    for (const problem of unknownSettings(variableNames())) process.stderr.write(`${problem}\n`);
    const config = parseConfig(readEnvironment());
    assertEnoughOpenFiles(config);
    makeDataDirectory(config.dataDirectory);
    await assertInvoiceFont(config.operator.invoiceFont);
    const app = await startApp(config);
    if (config.serve.has('main')) prepareFirstBatch(app.ctx);
    if (config.serve.has('worker')) void checkMail(app.ctx);
    onSignal.stop = stopOnce(app);
    if (isStartedByNpm()) stopWithParent(onSignal.stop);
    announce(config.http.port === 0 ? app.url : config.http.publicUrl, config, app.ctx.chat.name);
  } catch (error) {
    const refusal = error instanceof StartRefused ? error : refusedByDatabase(error);
    process.stderr.write(`${refusal ? refusal.message : describe(error)}\n`);
    process.exit(refusal ? refusal.exitCode : 2);
  }
}

/** The first upload and the first quote need not wait for these. */
function prepareFirstBatch({ importer, chat }: Context): void {
  importer.prepare();
  void chat.listModels();
}

/** The start does not wait for it: emails are tried again until the server can be used. */
async function checkMail({ mail }: Context): Promise<void> {
  try {
    await mail.check();
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(
      `The mail server of SMTP_URL cannot be used now (${message}). Emails are tried again for about a day.\n`,
    );
  }
}

function stopOnce(app: AsyncDisposable): () => void {
  let isStopping = false;
  return () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), shutdownMilliseconds).unref();
    app[Symbol.asyncDispose]().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`Rowmill did not stop cleanly: ${describe(error)}\n`);
        process.exit(1);
      },
    );
  };
}

/** npm passes a signal to a shell, which ends without passing it on. */
function stopWithParent(stop: () => void): void {
  setInterval(() => process.ppid !== parent && stop(), parentPollMilliseconds).unref();
}

function announce(
  address: string,
  { demo: isDemo, mail, dataDirectory }: Config,
  provider: string,
): void {
  const people = demoPeople.map(
    ({ email, password, role }) => `  ${email.padEnd(20)} ${password}   ${role}`,
  );
  const demo = isDemo
    ? [
        '',
        'This is a demo. You can sign in as:',
        ...people,
        `Its emails are at ${address}/dev/mail`,
      ]
    : mail.smtpUrl
      ? []
      : [`Without SMTP_URL emails are not sent: they wait in ${join(dataDirectory, 'outbox')}.`];
  const model =
    provider === 'demo'
      ? 'Prompts are answered by the demo model, which is no AI. Set CHAT_BASE_URL to use a real one.'
      : `Prompts are answered by ${provider}.`;
  process.stdout.write(`${[`Rowmill is ready at ${address}`, model, ...demo].join('\n')}\n`);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
