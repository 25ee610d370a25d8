import chromium from '@sparticuz/chromium';

/** The Chromium that comes in an npm package. With --single-process, closing one context would end the browser. */
export async function chromiumOptions() {
  return {
    args: chromium.args.filter((argument) => argument !== '--single-process'),
    executablePath: await chromium.executablePath(),
  };
}
