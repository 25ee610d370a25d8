import {
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  test,
} from '@playwright/test';
import { wrongBody } from './specified-bodies.ts';
import { type Stage, type StageOptions, startStage } from './stage.ts';

export type OpenPage = (options?: BrowserContextOptions) => Promise<Page>;

interface TestFixtures {
  /**
   * Opens a further browser window with its own storage. Exceptions, policy violations and calls whose body differs from
   * the specification fail the test.
   */
  openContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  openPage: OpenPage;
}

interface WorkerFixtures {
  stageOptions: StageOptions;
  stage: Stage;
}

/** The `test` of one file. Every file calls this, because a file with its own fixtures gets its own product and demo people. */
export function testOnStage(options: StageOptions = {}) {
  return test.extend<TestFixtures, WorkerFixtures>({
    stageOptions: [({ browserName: _ }, use) => use(options), { scope: 'worker' }],
    stage: [
      async ({ stageOptions }, use) => {
        await using stage = await startStage(stageOptions);
        await use(stage);
      },
      { scope: 'worker', timeout: 240_000 },
    ],
    baseURL: ({ stage }, use) => use(stage.url),
    openContext: async ({ browser, baseURL }, use) => {
      const contexts: BrowserContext[] = [];
      const pageErrors: string[] = [];
      const wrongBodies = new Set<string | null>();
      await use(async (contextOptions = {}) => {
        const context = await browser.newContext({ baseURL, ...contextOptions });
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
}
