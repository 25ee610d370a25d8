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
    <Dialog title="App Updated reload to apply" onClose={decline}>
      <p>What you have written and not sent yet may be lost by reloading; drafts of questions are kept.</p>
      <div className="row">
        <Button onClick={() => void activate().then(() => location.reload())}>OK</Button>
        <Button variant="secondary" onClick={decline}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
