/** Square crops of a picture. All lengths are pixels of the picture. */
export interface Size {
  width: number;
  height: number;
}

/** Centre of the square and zoom; at 1 it is as large as the picture allows. */
export interface Crop {
  x: number;
  y: number;
  zoom: number;
}

export const zoomLimits = { least: 1, most: 6, step: 0.1 } as const;

export function wholeOf({ width, height }: Size): Crop {
  return { x: width / 2, y: height / 2, zoom: zoomLimits.least };
}

export function squareOf(picture: Size, crop: Crop): { left: number; top: number; side: number } {
  const side = Math.min(picture.width, picture.height) / crop.zoom;
  return { left: crop.x - side / 2, top: crop.y - side / 2, side };
}

/** Moves the picture under the square, in fractions of its side. */
export function moved(
  picture: Size,
  crop: Crop,
  { right, down }: { right: number; down: number },
): Crop {
  const { side } = squareOf(picture, crop);
  return inside(picture, { ...crop, x: crop.x - right * side, y: crop.y - down * side });
}

export function zoomed(picture: Size, crop: Crop, zoom: number): Crop {
  return inside(picture, { ...crop, zoom: between(zoomLimits.least, zoom, zoomLimits.most) });
}

/** Keeps the square inside the picture. */
function inside(picture: Size, crop: Crop): Crop {
  const half = squareOf(picture, crop).side / 2;
  return {
    ...crop,
    x: between(half, crop.x, picture.width - half),
    y: between(half, crop.y, picture.height - half),
  };
}

function between(least: number, value: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
