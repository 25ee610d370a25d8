import type { ReactNode } from 'react';
import * as texts from '../texts/ui.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  title: string;
  confirm: string;
  isDanger?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Says what will happen before it does. The form closes the dialog, so the browser returns the focus. */
export function ConfirmDialog({
  title,
  confirm,
  isDanger = false,
  onConfirm,
  onClose,
  children,
}: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <form method="dialog" className="row">
        <Button type="submit" variant={isDanger ? 'danger' : 'primary'} onClick={onConfirm}>
          {confirm}
        </Button>
        <Button type="submit" variant="secondary">
          {texts.cancel}
        </Button>
      </form>
    </Dialog>
  );
}
