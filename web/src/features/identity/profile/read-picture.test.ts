import { expect, it } from 'vitest';
import { validateFile } from './read-picture.ts';

const megabyte = 1024 * 1024;

it.each([
  ['image/png', 1, null],
  ['image/jpeg', 20 * megabyte, null],
  ['image/webp', 5000, null],
  ['image/svg+xml', 1, /PNG, JPEG or WebP/],
  ['image/gif', 1, /PNG, JPEG or WebP/],
  ['application/pdf', 99 * megabyte, /PNG, JPEG or WebP/],
  ['', 1, /PNG, JPEG or WebP/],
  ['image/png', 20 * megabyte + 1, /is 21 MB\. .* at most 20 MB/],
] as const)('judges a file of type %s with %s bytes', (type, size, words) => {
  if (words) expect(validateFile({ type, size })).toMatch(words);
  else expect(validateFile({ type, size })).toBeNull();
});
