import { expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { readEnvironment } from './env.ts';

const read = (settings: Record<string, string>) =>
  parseConfig(readEnvironment(settings)).faultPoint;

it.each([
  ['', null],
  ['after-reply', { point: 'after-reply', times: 1 }],
  ['before-commit:37', { point: 'before-commit', times: 37 }],
  ['poison:row 7: x', { point: 'before-call', poison: 'row 7: x' }],
  ['unreadable:row 7', { point: 'reading-slice', poison: 'row 7' }],
])('reads FAULT_POINT=%s', (value, expected) => {
  expect(read({ FAULT_POINT: value, DEMO: 'on' })).toEqual(expected);
});

it.each(['nowhere:1', 'after-reply:0', 'after-reply:often', 'poison:'])(
  'refuses FAULT_POINT=%s with a message',
  (value) => {
    expect(() => read({ FAULT_POINT: value, DEMO: 'on' })).toThrow(/FAULT_POINT/);
  },
);

it('refuses a fault point outside demo and tests', () => {
  expect(() => read({ FAULT_POINT: 'after-reply', DEMO: 'off' })).toThrow(/only for the demo/);
  expect(read({ FAULT_POINT: 'after-reply', DEMO: 'off', NODE_ENV: 'test' })).not.toBeNull();
});
