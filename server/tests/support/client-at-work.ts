import type { Batch } from '@rowmill/contract';
import { expect } from 'vitest';
import { moveCredits } from '../../src/domains/credits/move-credits.ts';
import { type Person, signedIn } from './people.ts';
import type { World } from './world.ts';

interface Asked {
  query?: { partial?: boolean; rows?: number[]; limit?: number };
}

/** A person with submissions, and what he does with sheets of one column. */
export class ClientAtWork {
  readonly world: World;
  readonly person: Person;

  private constructor(world: World, person: Person) {
    this.world = world;
    this.person = person;
  }

  static async begin(world: World, submissions: number): Promise<ClientAtWork> {
    const client = new ClientAtWork(world, await signedIn(world));
    await client.receive(submissions);
    return client;
  }

  async receive(amount: number): Promise<void> {
    const cause = `test:${amount}:${Math.random()}`;
    await moveCredits(this.world.app.ctx, {
      userId: this.person.id,
      from: 'world',
      to: 'available',
      amount,
      cause,
    });
  }

  /** Uploads the prompts and asks each of them. */
  async start(prompts: readonly string[], { query = {} }: Asked = {}): Promise<Batch> {
    // Ten sheets a minute are allowed, so the clock moves on.
    this.world.clock.advance(10_000);
    const { body: uploaded } = await this.world.upload(csvOf(prompts), this.person);
    const request = {
      questionWithVariable: '{{Prompt}}',
      query: { ...query, file: uploaded.file.id, start: true },
    };
    const { status, body } = await this.world.call('askChatGpt', request, this.person);
    expect(status, body.message).toBe(200);
    return body.batch as Batch;
  }

  async batch(id: string): Promise<Batch> {
    return (await this.world.call('getBatch', { id }, this.person)).body.batch;
  }

  async balance(): Promise<number> {
    return (await this.world.call('getAvailableCredits', {}, this.person)).body.creditsAvailable;
  }

  play = (id: string) => this.world.call('playOrPause', { id, status: 'play' }, this.person);
  pause = (id: string) => this.world.call('playOrPause', { id, status: 'pause' }, this.person);
  stop = (id: string) => this.world.call('stopFileProcessing', { id }, this.person);

  async retryFailed(id: string) {
    await whenLaidDown(this.world, id);
    return this.world.call('retryFailed', { id }, this.person);
  }

  async rows(id: string, limit = 100) {
    return (await this.world.call('getRows', { id, limit }, this.person)).body.rows;
  }

  /** Waits until it has ended and nothing is held for it any more. */
  async whenEnded(id: string): Promise<Batch> {
    return this.when(id, ({ ended_at, held }) => ended_at !== null && held === 0);
  }

  async when(id: string, test: (batch: Batch) => boolean): Promise<Batch> {
    for (;;) {
      const batch = await this.batch(id);
      if (test(batch)) return batch;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** A worker lays a slice down a moment after its last row is settled; until then nothing can be asked again. */
export async function whenLaidDown({ app }: World, batchId: string): Promise<void> {
  const inHand = app.ctx.db
    .selectFrom('slices')
    .select('first')
    .where('batch_id', '=', batchId)
    .where('state', '=', 'queued');
  while ((await inHand.execute()).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

function csvOf(prompts: readonly string[]): string {
  return `Prompt\n${prompts.map((prompt) => `"${prompt}"`).join('\n')}\n`;
}
