import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LeasedRow, type LeasedSlice, newRow } from '../leased-slice.ts';
import { RequestRefusals } from './request-refusals.ts';

const options = { system: null, temperature: null, max_tokens: null, outputs: [] };
const slice = { batchId: 'one', model: 'small', options } as unknown as LeasedSlice;
const rowOf = (row: number, of = slice) => newRow(of, { row, fillPrompt: () => '' });
const numbers = (rows: readonly LeasedRow[] | null) => rows?.map(({ row }) => row) ?? null;
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

const answer = { kind: 'answered', text: 'Yes.' } as const;

let failed: [row: number, problem: string][] = [];
let refusals = new RequestRefusals(() => {});
/** Other rows of the batch are open, unless the test says otherwise. */
const open = [{ ...slice, openRows: 100 }];
const refuse = (row: LeasedRow, problem: string) => refusals.refuse(row, problem, open);
beforeEach(() => {
  failed = [];
  refusals = new RequestRefusals(({ row }, problem) => failed.push([row, problem]));
});

describe('refused rows of a batch', () => {
  it('are given up together with the tenth equal refusal', () => {
    for (const row of upTo(9)) expect(refuse(rowOf(row), 'No such model.')).toBeNull();
    expect(numbers(refuse(rowOf(9), 'No such model.'))).toEqual(upTo(10));
    expect(failed).toEqual([]);
    expect(refuse(rowOf(10), 'No such model.'), 'it starts again').toBeNull();
  });

  it('fail with the next answer, and the count starts again', () => {
    for (const row of upTo(9)) refuse(rowOf(row), 'Blocked.');
    refusals.note(answer, slice);
    expect(failed).toEqual(upTo(9).map((row) => [row, 'Blocked.']));
    expect(refuse(rowOf(9), 'Blocked.')).toBeNull();
  });

  it('fail when another refusal follows', () => {
    refuse(rowOf(0), 'Blocked.');
    refuse(rowOf(1), 'Too hot.');
    expect(failed).toEqual([[0, 'Blocked.']]);
    refusals.note(answer, slice);
    expect(failed).toEqual([
      [0, 'Blocked.'],
      [1, 'Too hot.'],
    ]);
  });

  it('count as equal when only a request id or a number differs', () => {
    for (const row of upTo(9)) refuse(rowOf(row), `No model. Request req_${row}a.`);
    expect(refuse(rowOf(9), 'No model. Request req_9a.')).toHaveLength(10);
  });

  it('fail when no other row of their batch is open, and count for its next slice', () => {
    for (const row of upTo(9)) refuse(rowOf(row), 'No model.');
    refusals.failLast(
      [rowOf(9)],
      [
        { ...slice, openRows: 9 },
        { ...slice, openRows: 1 },
      ],
    );
    expect(failed).toHaveLength(0);
    refusals.failLast([rowOf(9)], [{ ...slice, openRows: 9 }]);
    expect(failed).toHaveLength(9);
    const next = { batchId: 'one' } as LeasedSlice;
    expect(numbers(refuse(rowOf(16, next), 'No model.'))).toEqual([16]);
  });

  it('fail at once in quarantine', () => {
    const suspected = { ...slice, isSuspected: true };
    for (const row of upTo(10)) refuse(rowOf(row, suspected), 'No model.');
    expect(failed).toHaveLength(10);
  });

  it('are removed with their slice', () => {
    const other = { batchId: 'one' } as LeasedSlice;
    refuse(rowOf(0), 'No model.');
    refuse(rowOf(1, other), 'No model.');
    expect(numbers(refusals.take(slice))).toEqual([0]);
    refusals.note(answer, slice);
    expect(failed).toEqual([[1, 'No model.']]);
  });
});

describe('refusals of the key', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const refuseKey = (milliseconds: number) => refusals.refuseKey(slice, milliseconds);

  it('count at once while nothing was answered', () => {
    expect([refuseKey(9), refuseKey(10), refuseKey(11)]).toEqual([false, false, true]);
  });

  it('of calls that were in flight at the first do not count when rows were answered', () => {
    refusals.note(answer, slice);
    for (const call of upTo(9)) expect(refuseKey(10 + call)).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect([refuseKey(10), refuseKey(10)]).toEqual([false, true]);
  });

  it('are forgotten with the next answer', () => {
    for (const _ of upTo(5)) {
      expect([refuseKey(10), refuseKey(10)]).toEqual([false, false]);
      refusals.note(answer, slice);
    }
  });

  it('let one row through after a moment, until one is answered', () => {
    refusals.note(answer, slice);
    refuseKey(10);
    expect(refusals.isFull('one')).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(refusals.isFull('one')).toBe(false);
    refusals.beginCall(slice);
    expect(refusals.isFull('one')).toBe(true);
    refusals.note(answer, slice);
    expect(refusals.isFull('one')).toBe(false);
  });
});

describe('calls of a batch', () => {
  it('are at most twenty at once until its first answer', () => {
    for (const _ of upTo(20)) refusals.beginCall(slice);
    expect([refusals.isFull('one'), refusals.isFull('two')]).toEqual([true, false]);
    refusals.endCall('one');
    expect(refusals.isFull('one')).toBe(false);
    refusals.beginCall(slice);
    refusals.note(answer, slice);
    expect(refusals.isFull('one')).toBe(false);
  });

  it('are not limited when a batch with the same model and options was answered', () => {
    refusals.note(answer, slice);
    const full = (change: object) => {
      const other = { ...slice, batchId: JSON.stringify(change), ...change };
      for (const _ of upTo(20)) refusals.beginCall(other);
      return refusals.isFull(other.batchId);
    };
    expect(full({ options: { ...options, system: 'Be brief.' } })).toBe(false);
    expect(full({ options: { ...options, temperature: 2 } })).toBe(true);
    expect(full({ model: 'large' })).toBe(true);
    for (const row of upTo(10)) refuse(rowOf(row), 'No model.');
    expect(full({ batchId: 'later' }), 'after it was at fault').toBe(true);
  });

  it('are limited again after the request was at fault', () => {
    refusals.note(answer, slice);
    for (const _ of upTo(20)) refusals.beginCall(slice);
    for (const row of upTo(10)) refuse(rowOf(row), 'No model.');
    expect(refusals.isFull('one')).toBe(true);
  });

  it('are forgotten when none of its slices is leased', () => {
    for (const _ of upTo(20)) refusals.beginCall(slice);
    refusals.forgetOthers([slice]);
    expect(refusals.isFull('one')).toBe(true);
    refusals.forgetOthers([]);
    expect(refusals.isFull('one')).toBe(false);
  });
});
