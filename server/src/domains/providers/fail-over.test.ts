import { expect, it } from 'vitest';
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
      for (const outcome of outcomes) failOver.note('a', outcome);
    },
    isPassedOver: (attempts = 0, provider = 'a') => failOver.mustPassOver(provider, { attempts }),
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
