import { useId } from 'react';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface Props {
  name: string;
  percent: number;
  onCancel: () => void;
}

/** How much of the file has left this browser. */
export function UploadDialog({ name, percent, onCancel }: Props) {
  const id = useId();
  return (
    <Dialog title={texts.uploading} onClose={onCancel}>
      <label htmlFor={id} className="ask-name">
        {name}
      </label>
      <progress id={id} className="ask-progress" max={100} value={percent} />
      <p aria-hidden="true">{texts.percent(percent)}</p>
      <div>
        <Button variant="secondary" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
