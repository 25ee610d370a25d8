import { expect, it } from 'vitest';
import { isPicture } from './photo.ts';

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const jpeg = [0xff, 0xd8, 0xff, 0xe0];
const webp = [...Buffer.from('RIFF\0\0\0\0WEBPVP8 ')];
const base64 = (bytes: number[]) => Buffer.from(bytes).toString('base64');

it.each([
  { name: 'a PNG', url: `data:image/png;base64,${base64(png)}`, valid: true },
  { name: 'a JPEG', url: `data:image/jpeg;base64,${base64(jpeg)}`, valid: true },
  { name: 'a WebP picture', url: `data:image/webp;base64,${base64(webp)}`, valid: true },
  {
    name: 'a PNG that calls itself JPEG',
    url: `data:image/jpeg;base64,${base64(png)}`,
    valid: false,
  },
  {
    name: 'a RIFF file that is not WebP',
    url: `data:image/webp;base64,${base64([...Buffer.from('RIFF\0\0\0\0WAVEfmt ')])}`,
    valid: false,
  },
  {
    name: 'text that calls itself PNG',
    url: `data:image/png;base64,${base64([...Buffer.from('<svg/>')])}`,
    valid: false,
  },
  { name: 'an SVG', url: 'data:image/svg+xml;base64,PHN2Zy8+', valid: false },
  { name: 'a PNG without bytes', url: 'data:image/png;base64,', valid: false },
  { name: 'an address on the web', url: 'https://example.test/a.png', valid: false },
])('takes $name for a picture: $valid', ({ url, valid }) => {
  expect(isPicture(url)).toBe(valid);
});
