import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

const shortcuts = [
  ['Ctrl K', 'Go to any page'],
  ['?', 'This list'],
  ['{{', 'In a question: choose a column'],
  ['↑ ↓', 'In lists and tables: the row before or after'],
  ['Enter', 'In the table of rows: the row in full'],
  ['Esc', 'Close what is open'],
] as const;

export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">
        {shortcuts.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Button variant="secondary" onClick={onClose}>
        Close
      </Button>
    </Dialog>
  );
}
