import { profilePhotoLimitBytes } from '@rowmill/contract';
import * as texts from '../../../texts/identity.ts';

/** Best first. Browsers without WebP return another type, which is ignored. */
const types = ['image/webp', 'image/jpeg'] as const;
const qualities = [0.92, 0.85, 0.75, 0.6, 0.45, 0.3, 0.15] as const;

const photoSide = 256;

/** The middle square of the picture as a data URL, with lower quality until it is small enough. */
export async function encodePhoto(picture: ImageBitmap): Promise<string> {
  const canvas = drawSquare(picture);
  for (const type of types) {
    for (const quality of qualities) {
      const blob = await toBlob(canvas, type, quality);
      if (blob?.type !== type) break;
      if (blob.size <= profilePhotoLimitBytes) return toDataAddress(blob);
    }
  }
  throw new Error(texts.notSmallEnough);
}

function drawSquare(picture: ImageBitmap): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = photoSide;
  canvas.height = photoSide;
  const context = canvas.getContext('2d');
  if (!context) throw new Error(texts.notSmallEnough);
  // Background for transparent pictures.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, photoSide, photoSide);
  context.imageSmoothingQuality = 'high';
  const side = Math.min(picture.width, picture.height);
  const left = (picture.width - side) / 2;
  const top = (picture.height - side) / 2;
  context.drawImage(picture, left, top, side, side, 0, 0, photoSide, photoSide);
  return canvas;
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
