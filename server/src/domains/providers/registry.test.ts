import pino from 'pino';
import { expect, it } from 'vitest';
import type { Db } from '../../db/transaction.ts';
import type { ChatRequest } from '../../engine/port.ts';
import { ProviderRegistry } from './registry.ts';

it('turns an error of a provider into an outcome, because submissions stay reserved until there is one', async () => {
  const lines: string[] = [];
  const registry = new ProviderRegistry({
    environment: {
      name: 'failing',
      ask: () => {
        throw new Error('it threw');
      },
      listModels: async () => [],
      close: async () => {},
    },
    shown: {
      kind: 'openai',
      address: '',
      hasKey: false,
      limits: { concurrency: 1, requests_per_minute: null, tokens_per_minute: null },
    },
    opener: { open: () => registry.chat, prepare: (chat) => chat },
    sealer: null,
    db: {} as Db,
    log: pino({}, { write: (line) => lines.push(line) }),
  });
  expect(await registry.chat.ask({ model: 'm' } as ChatRequest)).toMatchObject({ kind: 'broken' });
  expect(lines.join()).toContain('it threw');
});
