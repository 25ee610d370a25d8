// size: every event of the dispatcher in one scene
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../core/context.ts';
import type { BatchRow } from '../domains/batches/store/batches.ts';
import { Corrections } from './corrections.ts';
import { Dispatcher, type Parts } from './dispatcher.ts';
import type { EngineEvent } from './events.ts';
import { type LeasedRow, type LeasedSlice, newRow } from './leased-slice.ts';
import { CallsByPerson } from './limits/calls-by-person.ts';
import type { Call } from './limits/concurrency-limiter.ts';
import { Economy } from './limits/economy.ts';
import { PooledCalls } from './limits/pooled-calls.ts';
import type { Lane } from './limits/provider-lanes.ts';
import { RequestRefusals } from './limits/request-refusals.ts';
import { LocalQueue } from './local-queue.ts';
import type { ChatOutcome } from './port.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const call: Call = {
  batch: '',
  person: '',
  sentAt: 0,
  inFlight: 1,
  number: 1,
  refusedAlone: 0,
  endedAt: Infinity,
  endedAfter: Infinity,
  isRefused: false,
  retryAt: null,
};

function leasedSlice(batchId: string, openRows: number): LeasedSlice {
  return {
    lease: { id: `lease of ${batchId}`, retryCount: 0 },
    batchId,
    userId: 'user',
    leasedAt: 0,
    first: 0,
    model: 'fake',
    providerKey: 'fake',
    lane: 'fake',
    options: { system: null, temperature: null, max_tokens: null, outputs: [] },
    hasAnswers: false,
    isModelSetUp: false,
    isPricedBySize: false,
    finishBy: null,
    rowsAhead: { ofKey: openRows, ofLane: openRows, triedMilliseconds: null },
    fixedParts: [],
    abort: new AbortController(),
    openRows,
    waitingRows: 0,
    isIncomplete: false,
    isDraining: false,
    isEnding: false,
    unusableExcess: 0,
    isSuspected: false,
    read: async () => ({ rows: [], unasked: [] }),
  };
}

interface Scene {
  act(action: string): void;
  slices: LeasedSlice[];
  /** Slices whose lease is lost. */
  lost: LeasedSlice[];
  queue: LocalQueue;
}

const fake = { key: 'fake', name: 'fake' };

/** One lane for all models. */
function lanesOf(change: { limiter?: object } = {}): Parts['lanes'] {
  const lane: Lane = {
    ...fake,
    limiter: {
      cooldownUntil: 0,
      answers: 0,
      waitMilliseconds: 0,
      rate: Infinity,
      atOnce: Infinity,
      acquire: () => call,
      inFlight: 0,
      pool: new PooledCalls({ now: () => 0, hasLimit: () => false, evaluate() {} }),
      setShare() {},
      startCooldown() {},
      onCooldownNotice() {},
      takeRefusedAlone: () => false,
      mayCallFor: () => true,
      release() {},
      ...change.limiter,
    },
    callsBy: new CallsByPerson(),
  };
  return { of: () => lane, all: [lane] };
}

/** A breaker for each model, by its name. */
function breakersOf(change: object = {}): Parts['breakers'] {
  const breaker = {
    isClosed: true,
    isOpen: true,
    problem: undefined,
    isDown: async () => false,
    mayCallFor: () => true,
    note() {},
    [Symbol.dispose]() {},
    ...change,
  };
  return { of: () => breaker, find: () => breaker, keyOf: (model) => model };
}

/** Parts that record the calls of the dispatcher. */
function recordingParts({ act, slices, lost, queue }: Scene): Parts {
  return {
    queue,
    leases: {
      slices,
      get activeBatchIds() {
        return slices.map(({ batchId }) => batchId);
      },
      openRows: 0,
      lanes: new Map(),
      rowsByPerson: () => new Map(),
      add(_lease, { batch, rows, unasked, unread, isSuspected }) {
        const openRows = rows.length + unasked.length + unread.length;
        const slice = { ...leasedSlice(batch.id, openRows), isSuspected };
        slices.push(slice);
        return slice;
      },
      close: (rows) => rows.length > 0 && act(`close ${rows.map(({ row }) => row)}`),
      renew: async () => lost,
      moved: [],
      countSlices: () => 0,
      release() {},
      abortAll() {},
      async whenEnded() {},
    },
    fetcher: {
      isBlocked: false,
      fetch: () => act('fetch'),
      refill() {},
      mayFindMore: () => false,
      discardIfReading() {},
      async close() {},
    },
    sender: {
      sendRows: () => act('send'),
      async holdDuring(batchId, work) {
        act(`hold ${batchId}`);
        await work();
        act(`end hold ${batchId}`);
      },
      async whenNoCallInFlight() {},
    },
    quarantine: {
      isExclusive: false,
      suspects: [],
      add: (rows) => act(`quarantine ${rows.map(({ row, crashCount }) => `${row}:${crashCount}`)}`),
      noteCall() {},
      async sendAlone() {},
      next: () => undefined,
      remove: (rows) => act(`leave quarantine ${rows.map(({ row }) => row)}`),
      postpone: ({ row }) => act(`postpone in quarantine ${row}`),
      take: () => [],
    },
    corrections: new Corrections(null),
    economy: new Economy(),
    writer: {
      addAnswer: ({ row }, { answer }) => act(`answer ${row} ${answer}`),
      addFailure: ({ row }, { problem }) => act(`failure ${row} ${problem}`),
      addUnasked: ({ row }, { state, problem }) => act(`${state} ${row} ${problem}`),
      async flush() {},
    },
    lanes: lanesOf(),
    breakers: breakersOf(),
    listUnleased: async () => [
      { id: 'b3', model: 'fake' },
      { id: 'b4', model: 'with-fallback' },
    ],
    pauseBatch: async (batchId, { reason }) => act(`pause ${batchId} ${reason}`),
    refusals: new RequestRefusals(({ row }, problem) => act(`failure ${row} ${problem}`)),
    resumeBatches: async (pausedFor) => act(`resume ${pausedFor}`),
    probeKey: async () => false,
    diskSpace: () => 'enough',
    saveCooldown: async (_provider, until) => act(`save cooldown ${until.getTime()}`),
  };
}

function create(overrides: Partial<Parts> = {}) {
  const actions: string[] = [];
  const slices: LeasedSlice[] = [];
  const lost: LeasedSlice[] = [];
  const act = (action: string) => {
    actions.push(action);
  };
  const log = { debug() {}, info() {}, error: (_: object, message: string) => act(message) };
  const ctx = { log, events: { inc() {} } } as unknown as Context;
  const queue = new LocalQueue((event) => dispatcher.handle(event));
  const parts = { ...recordingParts({ act, slices, lost, queue }), ...overrides };
  const dispatcher = new Dispatcher(ctx, parts);
  /** Returns the actions that follow the event. */
  const handle = async (event: EngineEvent) => {
    actions.length = 0;
    await dispatcher.handle(event);
    return [...actions];
  };
  const answer = (row: LeasedRow, outcome: ChatOutcome) =>
    handle({ type: 'answer_arrived', row, outcome, milliseconds: 50 });
  /** Leases a slice whose rows are numbered from 0, and takes the first one off the queue. */
  const leaseAndSend = async (batchId: string, rows: number) => {
    await dispatcher.handle(sliceLeased({ batchId, rows }));
    return { slice: slices.at(-1) as LeasedSlice, row: queue.next('fake') as LeasedRow };
  };
  return { actions, handle, answer, leaseAndSend, lost, parts, queue, slices };
}

function sliceLeased({ batchId = 'b1', rows = 2, unasked = 0, isSuspected = false } = {}) {
  const fetched = {
    batch: { id: batchId, user_id: 'user' } as BatchRow,
    first: 0,
    rowsAhead: { ofKey: 0, ofLane: 0, triedMilliseconds: null },
    rows: Array.from({ length: isSuspected ? 0 : rows }, (_, row) => ({
      row,
      fillPrompt: () => `Prompt ${row}`,
    })),
    unread: isSuspected ? Array.from({ length: rows }, (_, row) => row) : [],
    read: async () => ({ rows: [], unasked: [] }),
    unasked: Array.from({ length: unasked }, (_, index) => ({
      row: rows + index,
      state: 'skipped' as const,
      problem: 'Blank.',
    })),
    isSuspected,
    fixedParts: [],
    crashCounts: { 1: 2 },
  };
  const lease = { id: 'job', retryCount: 0 };
  return { type: 'slice_leased', lease, fetched } satisfies EngineEvent;
}

describe('a leased slice', () => {
  it('queues its rows, stores those that are not sent, and sends', async () => {
    const { handle, queue } = create();
    expect(await handle(sliceLeased({ unasked: 1 }))).toEqual(['skipped 2 Blank.', 'send']);
    expect(queue.sizeOf(fake)).toBe(2);
  });

  it('puts its rows into quarantine when it is suspected', async () => {
    const { handle, queue } = create();
    expect(await handle(sliceLeased({ isSuspected: true }))).toEqual([
      'quarantine 0:0,1:2',
      'send',
    ]);
    expect(queue.sizeOf(fake)).toBe(0);
  });

  it('drains when its lease is lost', async () => {
    const { handle, leaseAndSend, lost, queue } = create();
    const { slice } = await leaseAndSend('b1', 3);
    lost.push(slice);
    expect(await handle({ type: 'heartbeat_due' })).toEqual(['close 1,2']);
    expect([slice.isDraining, slice.isIncomplete, queue.sizeOf(fake)]).toEqual([true, true, 0]);
  });

  it('drains at a shutdown', async () => {
    const { handle, leaseAndSend } = create();
    await leaseAndSend('b1', 3);
    expect(await handle({ type: 'shutdown_started' })).toEqual(['close 1,2']);
  });

  it('makes room for another one when it ends', async () => {
    expect(await create().handle({ type: 'slice_ended' })).toEqual(['fetch']);
  });
});

describe('an answer', () => {
  it('is written, and frees a slot', async () => {
    const { answer, leaseAndSend } = create();
    const { row } = await leaseAndSend('b1', 2);
    expect(await answer(row, { kind: 'answered', text: 'yes' })).toEqual(['answer 0 yes', 'send']);
  });

  it('that refuses the row is written as its failure', async () => {
    const { answer, leaseAndSend } = create();
    const { row } = await leaseAndSend('b1', 2);
    const refused = { kind: 'row_refused', reason: 'Too long.' } as const;
    expect(await answer(row, refused)).toEqual(['failure 0 Too long.', 'send']);
  });

  it('that refuses the key pauses the batch with the third, before its row is given up, and sends nothing meanwhile', async () => {
    const { answer, leaseAndSend, queue } = create();
    const { row } = await leaseAndSend('b1', 4);
    const refused = { kind: 'provider_refused', reason: 'Bad key.' } as const;
    expect(await answer(row, refused)).toEqual(['send']);
    expect(await answer(queue.next('fake') as LeasedRow, refused)).toEqual(['send']);
    expect(await answer(queue.next('fake') as LeasedRow, refused)).toEqual([
      'hold b1',
      'close 3,0,1',
      'pause b1 provider_refused',
      'end hold b1',
      'close 2',
      'send',
    ]);
  });

  it('that refuses the key sends its row again after a wait', async () => {
    const { answer, leaseAndSend, queue } = create();
    const { row } = await leaseAndSend('b1', 1);
    await answer(row, { kind: 'provider_refused', reason: 'Bad key.' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(queue.next('fake')).toMatchObject({ row: 0, attempts: 0, postponed: 1 });
  });

  it('that refuses the key pauses no batch again that was resumed meanwhile', async () => {
    const { answer, leaseAndSend } = create();
    const { row } = await leaseAndSend('b1', 3);
    const refused = { kind: 'provider_refused', reason: 'Quota.', retryAt: 1 } as const;
    await answer(row, refused);
    expect(await answer({ ...row, row: 1 }, refused)).toEqual(['close 1', 'send']);
  });

  it.each([
    ['pauses the batch when a test of the key is refused', false, 'pause b1 provider_refused'],
    ['fails the last row when a test of the key is answered', true, 'failure 0 No access.'],
  ])('that refuses access again and again %s', async (_name, isGood, action) => {
    const { answer, leaseAndSend } = create({ probeKey: async () => isGood });
    const { row } = await leaseAndSend('b1', 1);
    const refused = { kind: 'provider_refused', reason: 'No access.', mayBeRow: true } as const;
    for (let call = 0; call < 2; call++) expect(await answer(row, refused)).toEqual(['send']);
    expect(await answer(row, refused)).toContain(action);
  });

  it.each([
    ['pauses a batch of many rows', 21, 'pause b1 provider_refused'],
    ['delays the row of a batch of few', 20, 'send'],
  ])('that only its batch is refused %s', async (_name, rows, action) => {
    const lanes = lanesOf({ limiter: { takeRefusedAlone: () => true } });
    const { answer, leaseAndSend } = create({ lanes });
    const { row } = await leaseAndSend('b1', rows);
    const refused = { kind: 'try_later', retryAt: null, reason: 'Too many tokens.' } as const;
    const actions = await answer(row, refused);
    expect(actions).toContain(action);
    expect(actions.includes('pause b1 provider_refused')).toBe(rows > 20);
  });

  it('that finds no capacity waits by itself, and the tenth in a row pauses the batch', async () => {
    const { answer, leaseAndSend } = create();
    const { row } = await leaseAndSend('b1', 3);
    const refused = { kind: 'no_capacity', reason: 'No capacity.' } as const;
    for (let call = 0; call < 9; call++) expect(await answer(row, refused)).toEqual(['send']);
    expect(await answer(row, refused)).toEqual(
      expect.arrayContaining(['hold b1', 'pause b1 no_capacity', 'end hold b1']),
    );
  });

  it('that broke is retried after a wait, with one attempt used up', async () => {
    const { actions, answer, leaseAndSend, queue } = create();
    const { row } = await leaseAndSend('b1', 1);
    expect(await answer(row, { kind: 'broken', reason: 'Reset.' })).toEqual(['send']);
    expect(queue.sizeOf(fake)).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(queue.next('fake')).toMatchObject({ row: 0, attempts: 1 });
    expect(actions).toEqual(['send', 'send']);
  });

  it('that broke costs no attempt while the provider is down', async () => {
    const { answer, leaseAndSend, queue } = create({
      breakers: breakersOf({ isDown: async () => true }),
    });
    const { row } = await leaseAndSend('b1', 1);
    await answer(row, { kind: 'broken', reason: 'Reset.' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(queue.next('fake')).toMatchObject({ row: 0, attempts: 0 });
  });

  it('that broke gives the row up when its slice is draining', async () => {
    const { handle, answer, leaseAndSend } = create();
    const { row } = await leaseAndSend('b1', 1);
    await handle({ type: 'shutdown_started' });
    const broken = { kind: 'broken', reason: 'Reset.' } as const;
    expect(await answer(row, broken)).toEqual(['close 0', 'send']);
  });

  it.each([
    ['counts as a postponement when others were answered since the last one', 7, 1],
    ['does not count when nothing was answered since', 3, 0],
  ])('that says "try later" %s', async (_name, answers, postponed) => {
    const { answer, leaseAndSend, queue } = create({
      lanes: lanesOf({ limiter: { answers } }),
    });
    const { slice } = await leaseAndSend('b1', 1);
    const row = { ...newRow(slice, { row: 0, fillPrompt: () => '' }), answersWhenPostponed: 3 };
    await answer(row, { kind: 'try_later', retryAt: null, reason: 'Busy.' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(queue.next('fake')).toMatchObject({ postponed, answersWhenPostponed: answers });
  });

  it('that names a cooldown saves it once', async () => {
    const { answer, handle, leaseAndSend } = create({
      lanes: lanesOf({ limiter: { cooldownUntil: 5_000 } }),
    });
    const { row } = await leaseAndSend('b1', 1);
    const later = { kind: 'try_later', retryAt: 5_000, reason: 'Wait.' } as const;
    expect(await answer(row, later)).toContain('save cooldown 5000');
    expect(await handle({ type: 'poll_due' })).toEqual(['fetch', 'send']);
  });
});

describe('a stored result', () => {
  it('closes its row, and nothing else while the batch runs', async () => {
    const { handle, leaseAndSend } = create();
    const { row } = await leaseAndSend('b1', 2);
    expect(
      await handle({ type: 'rows_stored', batchId: 'b1', rows: [row], state: 'running' }),
    ).toEqual(['close 0']);
  });

  it('drains the batch when it was stopped, and aborts its calls after five seconds', async () => {
    const { handle, leaseAndSend, slices } = create();
    const { row, slice } = await leaseAndSend('b1', 2);
    await handle(sliceLeased({ batchId: 'b2' }));
    expect(
      await handle({ type: 'rows_stored', batchId: 'b1', rows: [row], state: 'stopped' }),
    ).toEqual(['close 0', 'close 1']);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(slice.abort.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(slice.abort.signal.aborted).toBe(true);
    expect(slices.map(({ isDraining }) => isDraining)).toEqual([true, false]);
  });

  it('that cannot be stored pauses the batch before its row is given up', async () => {
    const { handle, leaseAndSend } = create();
    const { row } = await leaseAndSend('b1', 1);
    const pause = { reason: 'needs_credits' } as const;
    expect(await handle({ type: 'rows_not_storable', batchId: 'b1', rows: [row], pause })).toEqual([
      'pause b1 needs_credits',
      'close 0',
    ]);
  });

  it('that cannot be stored gives its row up even when the pause fails', async () => {
    const pauseBatch = () => Promise.reject(new Error('no database'));
    const { handle, leaseAndSend } = create({ pauseBatch });
    const { row } = await leaseAndSend('b1', 1);
    const pause = { reason: 'storage_full' } as const;
    expect(await handle({ type: 'rows_not_storable', batchId: 'b1', rows: [row], pause })).toEqual([
      'a step of the engine failed',
      'close 0',
    ]);
  });
});

describe('a notice', () => {
  const notice = (state?: 'running' | 'paused') =>
    ({ type: 'notice_arrived', notice: { user_id: 'u', batch_id: 'b1', state } }) as const;

  it('of a running batch fetches slices', async () => {
    expect(await create().handle(notice('running'))).toEqual(['fetch']);
  });

  it('of a paused batch drains it without aborting its calls', async () => {
    const { handle, leaseAndSend } = create();
    const { slice } = await leaseAndSend('b1', 3);
    expect(await handle(notice('paused'))).toEqual(['close 1,2']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(slice.abort.signal.aborted).toBe(false);
  });

  it('of progress does nothing', async () => {
    const { handle, leaseAndSend } = create();
    await leaseAndSend('b1', 3);
    expect(await handle(notice())).toEqual([]);
  });
});

describe('an outage', () => {
  it('pauses every batch of its breaker that it or no process has leased, and its end resumes, sends and fetches', async () => {
    const { handle, leaseAndSend } = create();
    await leaseAndSend('b1', 1);
    await leaseAndSend('b2', 1);
    expect(await handle({ type: 'provider_down', breakerKey: 'fake' })).toEqual([
      'pause b1 provider_down',
      'pause b2 provider_down',
      'pause b3 provider_down',
    ]);
    expect(await handle({ type: 'provider_up', breakerKey: 'fake' })).toEqual([
      'resume provider_down',
      'send',
      'fetch',
    ]);
  });
});

describe('a full disk', () => {
  it('pauses batches and blocks fetching until there is space', async () => {
    const { handle, leaseAndSend, parts } = create();
    await leaseAndSend('b1', 1);
    parts.diskSpace = () => 'full';
    expect(await handle({ type: 'disk_check_due' })).toEqual(['pause b1 storage_full']);
    expect(parts.fetcher.isBlocked).toBe(true);
    parts.diskSpace = () => 'low';
    expect(await handle({ type: 'disk_check_due' })).toEqual([]);
    parts.diskSpace = () => 'enough';
    expect(await handle({ type: 'disk_check_due' })).toEqual(['resume storage_full', 'fetch']);
    expect(parts.fetcher.isBlocked).toBe(false);
    expect(await handle({ type: 'disk_check_due' })).toEqual([]);
  });

  it('resumes with a later check when the first attempt fails', async () => {
    const { handle, parts } = create();
    const { resumeBatches } = parts;
    parts.resumeBatches = () => Promise.reject(new Error('no database'));
    expect(await handle({ type: 'disk_check_due' })).toEqual([
      'the engine could not handle an event',
    ]);
    parts.resumeBatches = resumeBatches;
    expect(await handle({ type: 'disk_check_due' })).toEqual(['resume storage_full', 'fetch']);
  });
});

describe('rows that quarantine has recorded and read', () => {
  it('are queued, failed when they cannot be sent, or given up when their slice drains', async () => {
    const { handle, queue } = create();
    const draining = { ...leasedSlice('b1', 1), isDraining: true, isSuspected: true };
    const rows = [
      newRow({ ...leasedSlice('b2', 1), isSuspected: true }, { row: 4 }),
      newRow(draining, { row: 5 }),
    ];
    const unasked = [
      { row: newRow(draining, { row: 6 }), state: 'failed' as const, problem: 'Too long.' },
    ];
    expect(await handle({ type: 'quarantine_ready', rows, unasked })).toEqual([
      'failed 6 Too long.',
      'close 5',
      'leave quarantine 5',
      'send',
    ]);
    expect(queue.next('fake')).toMatchObject({ row: 4 });
  });
});
