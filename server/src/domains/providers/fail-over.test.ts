import { describe, expect, it } from 'vitest';
import type { ChatOutcome } from '../../engine/port.ts';
import { FailOver } from './fail-over.ts';

const broken: ChatOutcome = { kind: 'broken', reason: 'Reset.' };
const others: ChatOutcome[] = [
  { kind: 'answered', text: 'Yes' },
  { kind: 'try_later', retryAt: null, reason: 'Busy.' },
  { kind: 'request_refused', reason: 'No.' },
  { kind: 'provider_refused', reason: 'No.' },
  { kind: 'row_refused', reason: 'No.' },
];

function create() {
  let now = 0;
  const failOver = new FailOver(() => now);
  return {
    failOver,
    note: (...outcomes: ChatOutcome[]) => {
      for (const outcome of outcomes) failOver.note('a', 'anna', outcome);
    },
    isPassedOver: (attempts = 0, provider = 'a', person = 'anna') =>
      failOver.mustPassOver(provider, person, attempts),
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

it('skips a provider after three broken calls in a row, and no other', () => {
  const { note, isPassedOver } = create();
  note(broken, broken);
  expect(isPassedOver()).toBe(false);
  note(broken);
  expect([isPassedOver(), isPassedOver(0, 'b')]).toEqual([true, false]);
});

it.each(others)('does not count $kind as broken', (outcome) => {
  const { note, isPassedOver } = create();
  note(outcome, outcome, outcome, broken, broken, outcome, broken);
  expect(isPassedOver()).toBe(false);
});

it('tries it again with one call at a time', () => {
  const { note, isPassedOver, wait } = create();
  note(broken, broken, broken);
  wait(10_000);
  expect([isPassedOver(), isPassedOver()]).toEqual([false, true]);
  note(broken);
  wait(9_999);
  expect(isPassedOver()).toBe(true);
  wait(1);
  expect(isPassedOver()).toBe(false);
  note({ kind: 'answered', text: 'Back' });
  expect([isPassedOver(), isPassedOver()]).toEqual([false, false]);
});

describe('the broken calls of one person', () => {
  const isPassedOverFor = (failOver: FailOver, person: string) =>
    failOver.mustPassOver('a', person);

  it('lead no other person to the fallback', () => {
    const { failOver, note } = create();
    note(broken, broken, broken, broken);
    expect(['anna', 'bert'].map((person) => isPassedOverFor(failOver, person))).toEqual([
      true,
      false,
    ]);
  });

  it('lead everyone there after one of another person', () => {
    const { failOver, note, wait } = create();
    note(broken, broken);
    failOver.note('a', 'bert', broken);
    const people = ['anna', 'bert', 'carl'];
    const arePassedOver = () => people.map((person) => isPassedOverFor(failOver, person));
    expect(arePassedOver()).toEqual([true, true, true]);
    // One call is a trial, and the next one is that of another person.
    const trial = () => {
      wait(10_000);
      return arePassedOver();
    };
    expect([trial(), arePassedOver()]).toEqual([
      [true, false, true],
      [true, true, true],
    ]);
    failOver.note('a', 'bert', broken);
    expect(trial()).toEqual([false, true, true]);
    note(broken);
    expect(trial()).toEqual([true, false, true]);
    failOver.note('a', 'bert', { kind: 'answered', text: 'Back' });
    expect(arePassedOver()).toEqual([false, false, false]);
  });

  it('lead everyone there when a harmless question breaks too, which is asked in intervals', () => {
    const { failOver, note, wait } = create();
    note(broken, broken);
    expect(failOver.takeProbe('a')).toBe(false);
    note(broken);
    expect([failOver.takeProbe('a'), failOver.takeProbe('a')]).toEqual([true, false]);
    failOver.noteProbe('a', { kind: 'answered', text: 'OK' });
    expect(isPassedOverFor(failOver, 'anna')).toBe(true);
    expect(isPassedOverFor(failOver, 'bert')).toBe(false);
    wait(10_000);
    note(broken);
    expect(failOver.takeProbe('a')).toBe(true);
    failOver.noteProbe('a', broken);
    expect(isPassedOverFor(failOver, 'bert')).toBe(true);
    wait(10_000);
    expect(failOver.takeProbe('a')).toBe(false);
  });
});

it('skips a provider that says nothing but to try later without a time for half a minute', () => {
  const { note, isPassedOver, wait } = create();
  const busy: ChatOutcome = { kind: 'try_later', retryAt: null, reason: 'Busy.' };
  const fill = () => {
    for (let call = 0; call < 19; call++) note(busy);
  };
  fill();
  wait(30_000);
  expect(isPassedOver()).toBe(false);
  note(busy);
  expect(isPassedOver()).toBe(true);
  wait(10_000);
  expect([isPassedOver(), isPassedOver()]).toEqual([false, true]);
  note(busy);
  expect(isPassedOver()).toBe(true);
  note({ kind: 'try_later', retryAt: 1, reason: 'A limit.' });
  fill();
  note(busy);
  expect(isPassedOver()).toBe(false);
});

it('remembers for a minute that a fallback refuses the key, but not one prompt', () => {
  const { wait, failOver } = create();
  const refusal: ChatOutcome = { kind: 'provider_refused', reason: 'No.' };
  expect(failOver.noteRefusal('a', { ...refusal, mayBeRow: true })).toBe(false);
  expect(failOver.noteRefusal('a', { kind: 'answered', text: 'Yes' })).toBe(false);
  expect(failOver.isRefused('a')).toBe(false);
  expect(failOver.noteRefusal('a', refusal)).toBe(true);
  expect([failOver.isRefused('a'), failOver.isRefused('b')]).toEqual([true, false]);
  wait(60_000);
  expect(failOver.isRefused('a')).toBe(false);
});

it('skips it for a row that broke twice', () => {
  const { isPassedOver } = create();
  expect([isPassedOver(0), isPassedOver(1), isPassedOver(2)]).toEqual([false, false, true]);
});
