import * as texts from '../../texts/shell.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './shortcut-list.module.css';

export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.keys} onClose={onClose}>
      <dl className={styles.keys}>
        {texts.shortcuts.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <div>
        <Button variant="secondary" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  );
}
