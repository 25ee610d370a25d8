import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test';
import { wrongBody } from './specified-bodies.ts';
import { type Stage, type StageOptions, startStage } from './stage.ts';

export type OpenPage = (options?: BrowserContextOptions) => Promise<Page>;

interface TestFixtures {
  /**
   * Opens a further browser window with its own storage. Exceptions, policy violations and calls
   * whose body differs from the specification fail the test.
   */
  openContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  openPage: OpenPage;
  stageOptions: StageOptions;
  stage: Stage;
}

interface WorkerFixtures {
  running: { file: string; stage: Stage | null };
}

/**
 * A file with its own worker fixtures gets its own worker process. The others share two, with their
 * loaded modules and browsers.
 */
const test = base.extend<TestFixtures, WorkerFixtures>({
  stageOptions: ({ browserName: _ }, use) => use({}),
  running: [
    async ({ browserName: _ }, use) => {
      const running: WorkerFixtures['running'] = { file: '', stage: null };
      await use(running);
      await running.stage?.[Symbol.asyncDispose]();
    },
    { scope: 'worker' },
  ],
  /** The product and demo people of one file. */
  stage: [
    async ({ running, stageOptions }, use, { file }) => {
      if (running.file !== file || !running.stage) {
        await running.stage?.[Symbol.asyncDispose]();
        running.stage = await startStage(stageOptions);
        running.file = file;
      }
      await use(running.stage);
    },
    { timeout: 240_000 },
  ],
  baseURL: ({ stage }, use) => use(stage.url),
  openContext: async ({ browser, baseURL, serviceWorkers }, use) => {
    const contexts: BrowserContext[] = [];
    const pageErrors: string[] = [];
    const wrongBodies = new Set<string | null>();
    await use(async (contextOptions = {}) => {
      const context = await browser.newContext({
        baseURL,
        serviceWorkers,
        // Painting animations takes a tenth of all CPU time.
        reducedMotion: 'reduce',
        ...contextOptions,
      });
      contexts.push(context);
      context.on('weberror', (error) => pageErrors.push(error.error().message));
      context.on('request', (request) => wrongBodies.add(wrongBody(request)));
      context.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) pageErrors.push(message.text());
      });
      return context;
    });
    for (const context of contexts) await context.close();
    expect(pageErrors, 'errors reported by pages').toEqual([]);
    wrongBodies.delete(null);
    expect([...wrongBodies], 'bodies other than the specification lists').toEqual([]);
  },
  context: async ({ openContext, contextOptions }, use) => use(await openContext(contextOptions)),
  openPage: ({ openContext }, use) =>
    use(async (contextOptions) => (await openContext(contextOptions)).newPage()),
});

/** The `test` of one file, whose product is started like this. */
export const testOnStage = (options: StageOptions = {}) =>
  test.extend({ stageOptions: ({ browserName: _ }, use) => use(options) });
