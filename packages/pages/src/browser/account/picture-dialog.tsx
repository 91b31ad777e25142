import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pictureMessages as messages } from '../../messages/en/picture.js';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import { Button } from '../ui/button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { Notice } from '../ui/notice.js';
import { CENTERED, dragged, MAX_ZOOM, squareOf, zoomed, type Crop } from './crop.js';
import { accountFailureText } from './failure-texts.js';

/** Width and height of an uploaded picture in pixels: twice what the largest avatar shows. */
const PICTURE_SIDE = 256;
/** The service refuses larger files. */
const MAX_BYTES = 65_536;
/** Tried in turn, until the file is small enough. */
const QUALITIES = [0.9, 0.75, 0.5, 0.3];

/** Returns what a canvas shows as a file, which has no metadata. WebP, or JPEG where the browser makes no WebP. */
async function encodePicture(canvas: HTMLCanvasElement): Promise<Blob> {
  for (const quality of QUALITIES) {
    const file =
      (await encoded(canvas, 'image/webp', quality)) ?? (await encoded(canvas, 'image/jpeg', quality));
    if (file && file.size <= MAX_BYTES) return file;
  }
  throw new TypeError('the browser makes no small picture');
}

/** Returns undefined if the browser does not make this format: it then makes PNG. */
async function encoded(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | undefined> {
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  return file?.type === type ? file : undefined;
}

/** Asks which square of a picture to keep, and uploads it. */
export function PictureDialog({
  image,
  onClose,
  onSaved,
}: {
  image: ImageBitmap;
  onClose: () => void;
  onSaved: () => void;
}): VNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [crop, setCrop] = useState(CENTERED);
  const [failure, setFailure] = useState<Failure>();
  useLayoutEffect(() => {
    if (canvas.current) draw(canvas.current, image, crop);
  }, [image, crop]);
  const save = async (): Promise<void> => {
    if (!canvas.current) return;
    const { error } = await client.account.setPicture(await encodePicture(canvas.current));
    if (error) setFailure(error);
    else onSaved();
  };
  return (
    <Dialog title={messages.cropTitle} onClose={onClose}>
      <p>{messages.cropLead}</p>
      {failure && <Notice>{accountFailureText(failure)}</Notice>}
      <Preview canvas={canvas} onDrag={(by) => setCrop((before) => dragged(image, before, by))} />
      <div class="sliders">
        <Slider
          label={messages.zoom}
          min={1}
          max={MAX_ZOOM}
          value={crop.zoom}
          onChange={(zoom) => setCrop((before) => zoomed(image, before, zoom))}
        />
        <Slider label={messages.across} max={1} value={crop.x} onChange={(x) => setCrop({ ...crop, x })} />
        <Slider label={messages.down} max={1} value={crop.y} onChange={(y) => setCrop({ ...crop, y })} />
      </div>
      <Actions>
        <Button rank="primary" onPress={save} busyLabel={messages.saving}>
          {messages.save}
        </Button>
        <Button onPress={onClose}>{messages.cancel}</Button>
      </Actions>
    </Dialog>
  );
}

function draw(canvas: HTMLCanvasElement, image: ImageBitmap, crop: Crop): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { left, top, side } = squareOf(image, crop);
  // Behind transparent parts: formats without transparency would make them black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, PICTURE_SIDE, PICTURE_SIDE);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, left, top, side, side, 0, 0, PICTURE_SIDE, PICTURE_SIDE);
}

/** The picture as others will see it. It is dragged with a pointer; sliders do the same by keyboard. */
function Preview({
  canvas,
  onDrag,
}: {
  canvas: { current: HTMLCanvasElement | null };
  /** @param by the distance, as a part of the side of the preview. */
  onDrag: (by: { x: number; y: number }) => void;
}): VNode {
  return (
    <canvas
      ref={canvas}
      class="crop"
      width={PICTURE_SIDE}
      height={PICTURE_SIDE}
      role="img"
      aria-label={messages.preview}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, movementX, movementY }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return;
        const { clientWidth: side } = currentTarget;
        onDrag({ x: movementX / side, y: movementY / side });
      }}
    />
  );
}

const Slider = ({
  label,
  min = 0,
  max,
  value,
  onChange,
}: {
  label: string;
  min?: number;
  max: number;
  value: number;
  onChange: (value: number) => void;
}): VNode => (
  <label class="slider">
    <span>{label}</span>
    <input
      type="range"
      min={min}
      max={max}
      step={0.05}
      value={value}
      onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
    />
  </label>
);
