import { describe, expect, it } from 'vitest';
import { type EndTurn, type TurnBounds, TurnRefused, Turns } from './turns.ts';

/** Takes turns and notes in which order they begin. */
function watch(bounds: TurnBounds) {
  const turns = new Turns(bounds);
  const started: string[] = [];
  const ends = new Map<string, EndTurn>();
  return {
    started,
    take(work: string, signal?: AbortSignal) {
      const person = work.slice(0, 1);
      const taken = turns.take(person, signal).then((end) => {
        started.push(work);
        ends.set(work, end);
      });
      taken.catch(() => {});
      return taken;
    },
    async end(work: string) {
      ends.get(work)?.();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('alternate between the people who wait, however long one queue is', async () => {
    const { take, end, started } = watch({ perPerson: 1, total: 1 });
    for (const work of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void take(work);
    await settled();
    for (const work of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await end(work);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('leave slots free that one person may not take', async () => {
    const { take, end, started } = watch({ perPerson: 1, total: 2 });
    for (const work of ['a1', 'a2', 'a3', 'b1', 'c1']) void take(work);
    await settled();
    expect(started).toEqual(['a1', 'b1']);
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'c1']);
    await end('a1');
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('are refused to a person with too much waiting, and to no other person', async () => {
    const { take, started } = watch({ perPerson: 2, waiting: 1 });
    for (const work of ['a1', 'a2', 'a3']) void take(work);
    await expect(take('a4')).rejects.toThrow(TurnRefused);
    await take('b1');
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  it('are not kept for work that is no longer wanted', async () => {
    const { take, end, started } = watch({ perPerson: 1, waiting: 1 });
    const left = new AbortController();
    void take('a1');
    const waiting = take('a2', left.signal);
    left.abort();
    await expect(waiting).rejects.toThrow(TurnRefused);
    await expect(take('a3', left.signal)).rejects.toThrow(TurnRefused);
    void take('a4');
    await end('a1');
    expect(started).toEqual(['a1', 'a4']);
  });

  it('end once, and also when the work fails', async () => {
    const turns = new Turns({ perPerson: 1, waiting: 0 });
    await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    const end = await turns.take('a');
    end();
    end();
    await turns.take('a');
    await expect(turns.take('a')).rejects.toThrow(TurnRefused);
  });
});
