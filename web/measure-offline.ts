import { buildWhenStale } from './build-when-stale.ts';
import { signIn } from './e2e/support/sign-in.ts';
import { startStageWithBrowser } from './e2e/support/stage.ts';

/** The time from the request of the page to its heading without a connection, in milliseconds. */
const times = 9;

await buildWhenStale();
await using stage = await startStageWithBrowser();
const context = await stage.browser.newContext({ baseURL: stage.url });
const page = await context.newPage();
await signIn(page, 'client@demo.test');
await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
await context.setOffline(true);
const measured: number[] = [];
for (let time = 0; time < times; time++) {
  const started = performance.now();
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  measured.push(Math.round(performance.now() - started));
}
measured.sort((a, b) => a - b);
process.stdout.write(
  `without a connection the dashboard stands after ${measured[Math.floor(times / 2)]} ms (${measured[0]} to ${measured.at(-1)})\n`,
);
