import * as texts from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface Props {
  activate: () => Promise<void>;
  onClose: () => void;
}

/** Either answer lets the new version take over; only OK reloads the page. */
export function UpdateDialog({ activate, onClose }: Props) {
  const decline = () => {
    onClose();
    void activate();
  };
  return (
    <Dialog title={texts.updated} opensByItself onClose={decline}>
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
