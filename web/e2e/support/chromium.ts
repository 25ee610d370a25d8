import chromium from '@sparticuz/chromium';

/**
 * With --single-process, closing one context would end the browser. A GPU in software takes a
 * quarter of all CPU time, and without the zygote every page loads the whole program. Unlike
 * other browsers, one without web security sends no Origin to the server of its page.
 */
const unwanted = new Set([
  '--single-process',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--in-process-gpu',
  '--no-zygote',
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]);

/** The Chromium that comes in an npm package. */
export async function chromiumOptions() {
  return {
    args: [
      ...chromium.args.filter((argument) => !unwanted.has(argument)),
      '--disable-gpu',
      '--disable-software-rasterizer',
    ],
    executablePath: await chromium.executablePath(),
  };
}
