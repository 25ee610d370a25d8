import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type Crop, moved, squareOf, wholeOf, zoomed, zoomLimits } from './crop.ts';
import { encodePhoto } from './encode-photo.ts';
import styles from './profile.module.css';

const photoSide = 256;
const previewSide = 96;
/** Fraction of the square per key press. */
const keyStep = 0.05;

const keys: Record<string, (picture: ImageBitmap, crop: Crop) => Crop> = {
  ArrowLeft: (picture, crop) => moved(picture, crop, { right: -keyStep, down: 0 }),
  ArrowRight: (picture, crop) => moved(picture, crop, { right: keyStep, down: 0 }),
  ArrowUp: (picture, crop) => moved(picture, crop, { right: 0, down: -keyStep }),
  ArrowDown: (picture, crop) => moved(picture, crop, { right: 0, down: keyStep }),
  '+': (picture, crop) => zoomed(picture, crop, crop.zoom + zoomLimits.step),
  '=': (picture, crop) => zoomed(picture, crop, crop.zoom + zoomLimits.step),
  '-': (picture, crop) => zoomed(picture, crop, crop.zoom - zoomLimits.step),
};

interface Props {
  picture: ImageBitmap;
  busy: boolean;
  error: string | null;
  onSave: (photo: string) => void;
  onClose: () => void;
}

/** Square cropper for mouse, touch and keyboard. The preview is exactly what is saved. */
export function PhotoCropper({ picture, busy, error, onSave, onClose }: Props) {
  const [crop, setCrop] = useState(() => wholeOf(picture));
  const [failure, setFailure] = useState<string | null>(null);
  const stage = useRef<HTMLCanvasElement>(null);
  const preview = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(
    () => draw(picture, crop, { stage: stage.current, preview: preview.current }),
    [picture, crop],
  );
  const drag = useDrag((right, down) =>
    setCrop((present) => moved(picture, present, { right, down })),
  );
  function onKeyDown(event: KeyboardEvent) {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setCrop((present) => act(picture, present));
  }
  async function save() {
    if (!stage.current) return;
    try {
      onSave(await encodePhoto(stage.current));
    } catch (problem) {
      setFailure((problem as Error).message);
    }
  }
  return (
    <Dialog title={texts.cropPhoto} onClose={onClose}>
      {(failure ?? error) && <Notice tone="error">{failure ?? error}</Notice>}
      <div className={styles.cropper}>
        <div
          className={styles.stage}
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it is operated by keyboard
          tabIndex={0}
          aria-label={texts.pictureToCrop}
          aria-describedby="crop-keys"
          onKeyDown={onKeyDown}
          {...drag}
        >
          <canvas ref={stage} width={photoSide} height={photoSide} />
        </div>
        <canvas
          ref={preview}
          className={styles.preview}
          width={previewSide}
          height={previewSide}
          role="img"
          aria-label={texts.preview}
        />
      </div>
      <p id="crop-keys" className="muted">
        {texts.howToCrop}
      </p>
      <Field label={texts.zoom}>
        {({ id }) => (
          <input
            id={id}
            type="range"
            min={zoomLimits.least}
            max={zoomLimits.most}
            step={zoomLimits.step}
            value={crop.zoom}
            onChange={(event) => setCrop(zoomed(picture, crop, Number(event.target.value)))}
          />
        )}
      </Field>
      <div className="row">
        <Button busy={busy} onClick={() => void save()}>
          {texts.savePhoto}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}

/** Follows the pointer. A press without a drag centres that point. */
function useDrag(onMove: (right: number, down: number) => void) {
  const last = useRef<{ x: number; y: number; hasMoved: boolean } | null>(null);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      last.current = { x: event.clientX, y: event.clientY, hasMoved: false };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!last.current) return;
      const side = event.currentTarget.clientWidth;
      const { x, y } = last.current;
      if (!last.current.hasMoved && Math.hypot(event.clientX - x, event.clientY - y) < 4) return;
      last.current = { x: event.clientX, y: event.clientY, hasMoved: true };
      onMove((event.clientX - x) / side, (event.clientY - y) / side);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const box = event.currentTarget.getBoundingClientRect();
      if (last.current && !last.current.hasMoved)
        onMove(
          0.5 - (event.clientX - box.left) / box.width,
          0.5 - (event.clientY - box.top) / box.height,
        );
      last.current = null;
    },
    onPointerCancel() {
      last.current = null;
    },
  };
}

interface Canvases {
  stage: HTMLCanvasElement | null;
  preview: HTMLCanvasElement | null;
}

function draw(picture: ImageBitmap, crop: Crop, { stage, preview }: Canvases): void {
  const { left, top, side } = squareOf(picture, crop);
  const [large, small] = [stage?.getContext('2d'), preview?.getContext('2d')];
  if (!stage || !large || !small) return;
  // Background for transparent pictures.
  large.fillStyle = '#fff';
  large.fillRect(0, 0, photoSide, photoSide);
  large.imageSmoothingQuality = 'high';
  large.drawImage(picture, left, top, side, side, 0, 0, photoSide, photoSide);
  small.imageSmoothingQuality = 'high';
  small.drawImage(stage, 0, 0, previewSide, previewSide);
}
