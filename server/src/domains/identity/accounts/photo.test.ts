import { expect, it } from 'vitest';
import { isPicture } from './photo.ts';

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const jpeg = [0xff, 0xd8, 0xff, 0xe0];
const url = (type: string, bytes: number[] | string) =>
  `data:image/${type};base64,${Buffer.from(bytes as string).toString('base64')}`;

it.each<[string, string, boolean]>([
  ['a PNG', url('png', png), true],
  ['a JPEG', url('jpeg', jpeg), true],
  ['a WebP picture', url('webp', 'RIFF\0\0\0\0WEBPVP8 '), true],
  ['a PNG that calls itself JPEG', url('jpeg', png), false],
  ['a RIFF file that is not WebP', url('webp', 'RIFF\0\0\0\0WAVEfmt '), false],
  ['text that calls itself PNG', url('png', '<svg/>'), false],
  ['an SVG', url('svg+xml', '<svg/>'), false],
  ['a PNG without bytes', 'data:image/png;base64,', false],
  ['an address on the web', 'https://example.test/a.png', false],
])('takes %s for a picture only if it is one', (_, address, isValid) => {
  expect(isPicture(address)).toBe(isValid);
});
