import * as texts from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface Props {
  /** Lets the new version take over. */
  activate: () => Promise<void>;
  onClose: () => void;
}

/** Asks when a new version is ready. Whatever the answer, the new one takes over; only OK reloads the page for it. */
export function UpdateDialog({ activate, onClose }: Props) {
  const decline = () => {
    onClose();
    void activate();
  };
  return (
    <Dialog title={texts.updated} onClose={decline}>
      <p>{texts.updateWarning}</p>
      <div className="row">
        <Button onClick={() => void activate().then(() => location.reload())}>{texts.ok}</Button>
        <Button variant="secondary" onClick={decline}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
