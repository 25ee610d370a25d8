import { expect, it } from 'vitest';
import { Sealer } from './sealed-text.ts';

const sealer = new Sealer('a secret of the environment, 32 characters');
const text = 'sk-öffne-mich-0123456789';

it('opens what it sealed, and hides it', () => {
  const sealed = sealer.seal(text, 'provider 1');
  expect(sealed).not.toContain(text);
  expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64').toString('latin1')).not.toContain('sk-');
  expect(sealer.open(sealed, 'provider 1')).toBe(text);
  expect(sealer.seal(text, 'provider 1')).not.toBe(sealed);
});

it.each<[string, (sealed: string) => string | null]>([
  ['another key', (sealed) => new Sealer('another secret of 32 characters!!').open(sealed, 'a')],
  ['another owner', (sealed) => sealer.open(sealed, 'b')],
  ['a changed end', (sealed) => sealer.open(`${sealed.slice(0, -6)}AAAAAA`, 'a')],
  ['half of it', (sealed) => sealer.open(sealed.slice(0, 30), 'a')],
  ['no text', () => sealer.open('', 'a')],
  ['a text in clear', () => sealer.open(text, 'a')],
])('does not open with %s', (_what, open) => {
  expect(open(sealer.seal(text, 'a'))).toBeNull();
});
