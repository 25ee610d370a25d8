import * as texts from '../../../texts/identity.ts';

const takenTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];
export const accepted = takenTypes.join(',');

const megabyte = 1024 * 1024;
/** Phone pictures have about 10 MB; larger ones only slow the browser down for 256 pixels. */
const largestBytes = 20 * megabyte;
/** Four bytes per decoded pixel. */
const mostPixels = 64_000_000;

/** Describes the problem with a chosen file, or null. */
export function validateFile({ type, size }: { type: string; size: number }): string | null {
  if (!takenTypes.includes(type)) return texts.wrongKind;
  if (size > largestBytes) return texts.tooLarge(Math.ceil(size / megabyte));
  return null;
}

/** Decodes a file with its orientation. Throws a message for people. */
export async function readPicture(file: File): Promise<ImageBitmap> {
  const problem = validateFile(file);
  if (problem) throw new Error(problem);
  const picture = await createImageBitmap(file).catch((cause) => {
    throw new Error(texts.notAPicture, { cause });
  });
  if (picture.width * picture.height <= mostPixels) return picture;
  picture.close();
  throw new Error(texts.tooManyPixels);
}
