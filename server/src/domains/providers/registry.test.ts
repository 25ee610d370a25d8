import pino from 'pino';
import { expect, it } from 'vitest';
import type { Db } from '../../db/transaction.ts';
import type { ChatOutcome, ChatRequest } from '../../engine/port.ts';
import { systemClock } from '../../lib/clock.ts';
import { ProviderRegistry } from './registry.ts';

/** The environment's provider answers so. */
function registryWith(answer: () => Promise<ChatOutcome>, lines: string[] = []) {
  const environment = {
    name: 'env',
    ask: answer,
    listModels: async () => [],
    close: async () => {},
  };
  const registry: ProviderRegistry = new ProviderRegistry({
    environment,
    plainEnvironment: environment,
    shown: {
      kind: 'openai',
      address: '',
      hasKey: false,
      limits: {
        concurrency: 1,
        requests_per_minute: null,
        tokens_per_minute: null,
        limits_per: 'key',
      },
    },
    opener: { open: () => registry.chat, prepare: (chat) => chat },
    sealer: null,
    db: {} as Db,
    clock: systemClock,
    log: pino({}, { write: (line) => lines.push(line) }),
  });
  return registry;
}

it('turns an error of a provider into an outcome, because submissions stay reserved until there is one', async () => {
  const lines: string[] = [];
  const registry = registryWith(() => {
    throw new Error('it threw');
  }, lines);
  expect(await registry.chat.ask({ model: 'm' } as ChatRequest)).toMatchObject({ kind: 'broken' });
  expect(lines.join()).toContain('it threw');
});

it('reports no cost of a model that no operator has set up', async () => {
  const tokens = { input: 7, cached: 0, output: 3, reasoning: 0 };
  const registry = registryWith(async () => ({ kind: 'answered', text: 'yes', tokens }));
  const outcome = await registry.chat.ask({ model: 'm' } as ChatRequest);
  expect(outcome).toEqual({ kind: 'answered', text: 'yes', tokens });
});

it('reads the providers twice for a wave of reloads', async () => {
  const lines: string[] = [];
  // Each reading fails and is logged, because there is no database.
  const registry = registryWith(async () => ({ kind: 'answered', text: 'yes' }), lines);
  const first = registry.reload();
  await Promise.resolve();
  await Promise.all(Array.from({ length: 100 }, () => registry.reload()));
  await first;
  expect(lines).toHaveLength(2);
});
