import { type ReactNode, useState } from 'react';
import * as texts from '../texts/ui.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  title: string;
  confirm: string;
  isDanger?: boolean;
  /** `Cancel` unless stated. */
  cancel?: string;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Says what will happen. The form closes the dialog, so the browser returns the focus. */
export function ConfirmDialog({
  title,
  confirm,
  isDanger = false,
  cancel = texts.cancel,
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
        <Button
          type="submit"
          variant="secondary"
          // The dialog's focus starts here, so that a second Enter destroys nothing.
          ref={(button) => void button?.toggleAttribute('autofocus', isDanger)}
        >
          {cancel}
        </Button>
      </form>
    </Dialog>
  );
}

interface Question {
  title: string;
  confirm: string;
  text: string;
  isDanger?: boolean;
}

/**
 * `ask` shows a question and resolves with the decision. Rendered outside of the form that asks.
 */
export function useConfirmation() {
  const [open, setOpen] = useState<(Question & { decide: (isConfirmed: boolean) => void }) | null>(
    null,
  );
  const ask = (question: Question) =>
    new Promise<boolean>((decide) => setOpen({ ...question, decide }));
  const dialog = open && (
    <ConfirmDialog
      {...open}
      onConfirm={() => open.decide(true)}
      onClose={() => {
        open.decide(false);
        setOpen(null);
      }}
    >
      <p>{open.text}</p>
    </ConfirmDialog>
  );
  return { ask, dialog };
}
