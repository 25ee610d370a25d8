import { profilePhotoLimitBytes } from '@rowmill/contract';
import * as texts from '../../../texts/identity.ts';

/** Best first. Browsers without WebP return another type, which is ignored. */
const types = ['image/webp', 'image/jpeg'] as const;
const qualities = [0.92, 0.85, 0.75, 0.6, 0.45, 0.3, 0.15] as const;

/** Encodes the picture as a data URL, lowering the quality until it is small enough. */
export async function encodePhoto(canvas: HTMLCanvasElement): Promise<string> {
  for (const type of types) {
    for (const quality of qualities) {
      const blob = await toBlob(canvas, type, quality);
      if (blob?.type !== type) break;
      if (blob.size <= profilePhotoLimitBytes) return toDataAddress(blob);
    }
  }
  throw new Error(texts.notSmallEnough);
}

function toBlob(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}

function toDataAddress(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(texts.notRead, { cause: reader.error }));
    reader.readAsDataURL(blob);
  });
}
