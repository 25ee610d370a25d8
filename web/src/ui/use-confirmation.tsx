import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface Question {
  title: string;
  confirm: string;
  text: string;
  isDanger?: boolean;
}

/** `ask` shows a question and resolves with the decision. The dialog is rendered outside of the form that asks. */
export function useConfirmation(): {
  ask: (question: Question) => Promise<boolean>;
  dialog: ReactNode;
} {
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
