import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import * as texts from '../../texts/ui.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { Dialog } from '../dialog.tsx';
import { changedForm } from './form.tsx';

interface Props extends Omit<ComponentProps<typeof Dialog>, 'onCancel' | 'children'> {
  /** `leave` closes the dialog, and asks before like Escape and Back. */
  children: (leave: () => void) => ReactNode;
}

/** A dialog with forms, which asks before it discards what was entered. */
export function AskingDialog({ children, onClose, ...dialog }: Props) {
  const [isLeaving, setLeaving] = useState(false);
  const isDiscarded = useRef(false);
  const content = useRef<HTMLDivElement>(null);
  const isChanged = () => content.current?.querySelector(changedForm) != null;
  const back = useBlocker(({ historyAction }) => historyAction === 'POP' && isChanged());
  return (
    <>
      <Dialog
        {...dialog}
        onClose={onClose}
        onCancel={(event) => {
          if (!isChanged()) return;
          event.preventDefault();
          setLeaving(true);
        }}
      >
        <div ref={content} className="stack">
          {children(() => (isChanged() ? setLeaving(true) : onClose()))}
        </div>
      </Dialog>
      {(isLeaving || back.state === 'blocked') && (
        <ConfirmDialog
          title={texts.discardTitle}
          confirm={texts.discard}
          cancel={texts.keepEditing}
          isDanger
          onConfirm={() => {
            isDiscarded.current = true;
          }}
          // Only now, because an open question keeps the focus from returning to the page.
          onClose={() => {
            setLeaving(false);
            if (!isDiscarded.current) return back.reset?.();
            // Back may lead to another view of the same page.
            back.proceed?.();
            onClose();
          }}
        >
          <p>{texts.discardText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
