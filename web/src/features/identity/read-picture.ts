const takenTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];
export const accepted = takenTypes.join(',');

const megabyte = 1024 * 1024;
/** What a telephone makes has ten; more would only make the browser slow, for 256 pixels are kept. */
const largestBytes = 20 * megabyte;
/** Decoded, a pixel takes four bytes. */
const mostPixels = 64_000_000;

/** What is wrong with a chosen file, in words, or null. */
export function judgeFile({ type, size }: { type: string; size: number }): string | null {
  if (!takenTypes.includes(type)) return 'Please choose a PNG, JPEG or WebP picture.';
  if (size > largestBytes) return `This picture has ${Math.ceil(size / megabyte)} MB. Please choose one of at most 20 MB.`;
  return null;
}

/** Decodes a chosen file, the right way up. Throws words for a person. */
export async function readPicture(file: File): Promise<ImageBitmap> {
  const problem = judgeFile(file);
  if (problem) throw new Error(problem);
  const picture = await createImageBitmap(file).catch((cause) => {
    throw new Error('This file cannot be read as a picture. It may be damaged.', { cause });
  });
  if (picture.width * picture.height <= mostPixels) return picture;
  picture.close();
  throw new Error('This picture has too many pixels. Please choose a smaller one.');
}
