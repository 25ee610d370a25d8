import * as texts from '../../texts/identity.ts';

const takenTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];
export const accepted = takenTypes.join(',');

const megabyte = 1024 * 1024;
/** What a telephone makes has ten; more would only make the browser slow, for 256 pixels are kept. */
const largestBytes = 20 * megabyte;
/** Decoded, a pixel takes four bytes. */
const mostPixels = 64_000_000;

/** What is wrong with a chosen file, in words, or null. */
export function judgeFile({ type, size }: { type: string; size: number }): string | null {
  if (!takenTypes.includes(type)) return texts.wrongKind;
  if (size > largestBytes) return texts.tooLarge(Math.ceil(size / megabyte));
  return null;
}

/** Decodes a chosen file, the right way up. Throws words for a person. */
export async function readPicture(file: File): Promise<ImageBitmap> {
  const problem = judgeFile(file);
  if (problem) throw new Error(problem);
  const picture = await createImageBitmap(file).catch((cause) => {
    throw new Error(texts.notAPicture, { cause });
  });
  if (picture.width * picture.height <= mostPixels) return picture;
  picture.close();
  throw new Error(texts.tooManyPixels);
}
