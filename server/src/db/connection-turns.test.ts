import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceUnavailable } from '../lib/unavailable.ts';
import { ConnectionTurns, RequestWait } from './connection-turns.ts';

const bounds = { connections: 1, waitMilliseconds: 2_000 };

/** Resolves when all work that needs no timer is done. */
const flush = () => vi.advanceTimersByTimeAsync(0);

let turns: ConnectionTurns;
beforeEach(() => {
  vi.useFakeTimers();
  turns = new ConnectionTurns(bounds);
});
afterEach(() => vi.useRealTimers());

describe('connections', () => {
  it('go to jobs first, and then to the oldest request, also when it asks last', async () => {
    const old = new RequestWait();
    await vi.advanceTimersByTimeAsync(10);
    const young = new RequestWait();
    const order: string[] = [];
    const use = async (name: string, request?: RequestWait) => {
      const release = await turns.take(request);
      order.push(name);
      release();
    };
    const release = await turns.take();
    const uses = [use('young', young), use('old', old), use('job')];
    await flush();
    release();
    await Promise.all(uses);
    expect(order).toEqual(['job', 'old', 'young']);
  });

  it('are refused when all waits of a request together are too long, and each wait of other work', async () => {
    const request = new RequestWait();
    for (let statement = 0; statement < 2; statement++) {
      const release = await turns.take();
      const own = turns.take(request);
      await vi.advanceTimersByTimeAsync(900);
      release();
      (await own)();
    }
    expect(request.milliseconds).toBe(1_800);
    const release = await turns.take();
    const refused = expect(turns.take(request)).rejects.toThrow(ServiceUnavailable);
    const job = turns.take();
    await vi.advanceTimersByTimeAsync(200);
    await refused;
    release();
    (await job)();
  });

  it('go to a request that has a paid answer before others, however long it has waited', async () => {
    const old = new RequestWait();
    await vi.advanceTimersByTimeAsync(10);
    const answered = new RequestWait();
    const first = await turns.take();
    const early = turns.take(answered);
    await vi.advanceTimersByTimeAsync(1_900);
    first();
    const release = await early;
    answered.goFirst();
    const order: string[] = [];
    const uses = [
      turns.take(old).then((done) => order.push('old') && done()),
      turns.take(answered).then((done) => order.push('answered') && done()),
    ];
    await vi.advanceTimersByTimeAsync(1_900);
    release();
    await Promise.all(uses);
    expect(order).toEqual(['answered', 'old']);
  });

  it('go first to a request that was refused, which takes back what it had begun', async () => {
    const refused = new RequestWait();
    const release = await turns.take();
    const waiting = expect(turns.take(refused)).rejects.toThrow(ServiceUnavailable);
    await vi.advanceTimersByTimeAsync(2_000);
    await waiting;
    const order: string[] = [];
    const other = turns.take(new RequestWait()).then((done) => order.push('other') && done());
    const takesBack = turns.take(refused).then((done) => order.push('refused') && done());
    release();
    await Promise.all([other, takesBack]);
    expect(order).toEqual(['refused', 'other']);
  });

  it('go to another person before one who has used much of them lately, who is served again after a while', async () => {
    const busy = { person: 'busy' };
    const first = await turns.take(new RequestWait(busy));
    const order: string[] = [];
    const use = async (name: string, request?: RequestWait) => {
      const release = await turns.take(request);
      order.push(name);
      release();
    };
    const uses = [1, 2, 3].map((number) => use(`busy ${number}`, new RequestWait(busy)));
    await vi.advanceTimersByTimeAsync(300);
    uses.push(use('other', new RequestWait({ person: 'other' })));
    await flush();
    first();
    await Promise.all(uses);
    expect(order).toEqual(['other', 'busy 1', 'busy 2', 'busy 3']);
    order.length = 0;
    await vi.advanceTimersByTimeAsync(1_000);
    const again = await turns.take();
    const later = [use('busy', new RequestWait(busy))];
    await vi.advanceTimersByTimeAsync(1);
    later.push(use('other', new RequestWait({ person: 'other' })));
    await flush();
    again();
    await Promise.all(later);
    expect(order).toEqual(['busy', 'other']);
  });

  it('are never all held by one person', async () => {
    vi.useRealTimers();
    const turns = new ConnectionTurns({ ...bounds, connections: 8 });
    const held: (() => void)[] = [];
    for (let statement = 0; statement < 9; statement++)
      void turns.take(new RequestWait({ person: 'busy' })).then((release) => held.push(release));
    const other = await turns.take(new RequestWait({ person: 'other' }));
    expect(held).toHaveLength(4);
    other();
    await new Promise(setImmediate);
    expect(held).toHaveLength(4);
    // What waited has its turn when the person gives one back.
    held.shift()?.();
    await new Promise(setImmediate);
    expect(held).toHaveLength(4);
    // The other four waits would otherwise be refused during a later test.
    for (let given = 0; given < 8; given++) {
      held.shift()?.();
      await new Promise(setImmediate);
    }
  });

  it('of the embedded database go to jobs and requests in the order of asking', async () => {
    const turns = new ConnectionTurns({ connections: 1, areJobsFirst: false });
    const release = await turns.take();
    const order: string[] = [];
    const uses: Promise<unknown>[] = [];
    for (const name of ['request', 'job', 'later request']) {
      const request = name === 'job' ? undefined : new RequestWait({ person: name });
      uses.push(turns.take(request).then((done) => order.push(name) && done()));
      await vi.advanceTimersByTimeAsync(1);
    }
    release();
    await Promise.all(uses);
    expect(order).toEqual(['request', 'job', 'later request']);
  });

  it('go to a stream like to a new request, with the whole wait each time', async () => {
    const stream = new RequestWait({ isStream: true });
    for (let statement = 0; statement < 3; statement++) {
      const release = await turns.take();
      const own = turns.take(stream);
      await vi.advanceTimersByTimeAsync(1_500);
      release();
      (await own)();
    }
    expect(stream.milliseconds).toBe(0);
  });

  it('count waits at the same time once', async () => {
    const request = new RequestWait();
    const release = await turns.take();
    const waits = [1, 2, 3].map(async () => (await turns.take(request))());
    await vi.advanceTimersByTimeAsync(1_500);
    release();
    await Promise.all(waits);
    expect(request.milliseconds).toBe(1_500);
  });

  it('are lent again after a wait was given up, and returned once', async () => {
    const release = await turns.take();
    const refused = expect(turns.take(new RequestWait())).rejects.toThrow(ServiceUnavailable);
    await vi.advanceTimersByTimeAsync(2_000);
    await refused;
    release();
    release();
    await turns.take();
    let isFree = false;
    void turns.take().then(() => {
      isFree = true;
    });
    await flush();
    expect(isFree).toBe(false);
  });
});
