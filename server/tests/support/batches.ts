import type { Batch, Output } from '@rowmill/contract';
import { expect } from 'vitest';
import type { FakeChat } from '../../../fakes/chat/server.ts';
import type { TestServer } from './test-server.ts';
import { addSubmissions, createUser, type TestUser } from './users.ts';
import { until } from './waiting.ts';

interface Asked {
  query?: {
    partial?: boolean;
    rows?: number[];
    limit?: number;
    model?: string;
    outputs?: Output[];
  };
}

/** A client with submissions who runs batches over sheets of one column. */
export class BatchClient {
  readonly server: TestServer;
  readonly user: TestUser;

  private constructor(server: TestServer, user: TestUser) {
    this.server = server;
    this.user = user;
  }

  static async create(server: TestServer, submissions: number): Promise<BatchClient> {
    return new BatchClient(server, await createUser(server, { submissions }));
  }

  receive(amount: number): Promise<void> {
    return addSubmissions(this.server, this.user.id, amount);
  }

  /** Uploads a sheet of these prompts and starts a batch over it. */
  async start(prompts: readonly string[], { query = {} }: Asked = {}): Promise<Batch> {
    // Ten sheets a minute are allowed, so the clock moves on.
    this.server.clock.advance(10_000);
    const { body: uploaded } = await this.server.upload(csvOf(prompts), this.user);
    const request = {
      questionWithVariable: '{{Prompt}}',
      query: { ...query, file: uploaded.file.id, start: true },
    };
    const { status, body } = await this.server.ask(request, this.user);
    expect(status, body.message).toBe(200);
    return body.batch as Batch;
  }

  async batch(id: string): Promise<Batch> {
    return (await this.server.call('getBatch', { id }, this.user)).body.batch;
  }

  balance = () => this.server.balance(this.user);

  play = (id: string) => this.server.call('playOrPause', { id, status: 'play' }, this.user);
  pause = (id: string) => this.server.call('playOrPause', { id, status: 'pause' }, this.user);
  stop = (id: string) => this.server.call('stopFileProcessing', { id }, this.user);

  async retryFailed(id: string) {
    await whenReleased(this.server, id);
    return this.server.call('retryFailed', { id }, this.user);
  }

  async rows(id: string, limit = 100) {
    return (await this.server.call('getRows', { id, limit }, this.user)).body.rows;
  }

  whenEnded(id: string): Promise<Batch> {
    return whenEnded(this.server, this.user, id);
  }

  /** Lets a provider answer what it holds, also what arrives meanwhile, until the batch ends. */
  releaseUntilEnded(chat: FakeChat, id: string): Promise<Batch> {
    return this.when(id, (batch) => {
      chat.releaseHeld();
      return hasEnded(batch);
    });
  }

  when(id: string, test: (batch: Batch) => boolean): Promise<Batch> {
    return when(this.server, { user: this.user, id, test });
  }
}

const hasEnded = ({ ended_at, held }: Batch) => ended_at !== null && held === 0;

/** Waits until a batch has ended and holds no reserved submissions. */
export function whenEnded(server: TestServer, user: TestUser, id: string): Promise<Batch> {
  return when(server, { user, id, test: hasEnded });
}

export async function when(
  server: TestServer,
  { user, id, test }: { user: TestUser; id: string; test: (batch: Batch) => boolean },
): Promise<Batch> {
  let batch: Batch | undefined;
  await until(async () => {
    batch = (await server.call('getBatch', { id }, user)).body.batch;
    return test(batch);
  });
  return batch as Batch;
}

/** A worker releases a slice just after its last row is stored. Only then can a row be retried. */
export async function whenReleased({ app }: TestServer, batchId: string): Promise<void> {
  const queued = app.ctx.db
    .selectFrom('slices')
    .select('first')
    .where('batch_id', '=', batchId)
    .where('state', '=', 'queued');
  await until(async () => (await queued.execute()).length === 0);
}

function csvOf(prompts: readonly string[]): string {
  return `Prompt\n${prompts.map((prompt) => `"${prompt}"`).join('\n')}\n`;
}
