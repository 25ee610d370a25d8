import { type ComponentProps, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import * as texts from '../../texts/ui.ts';
import { Button } from '../button.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { Dialog } from '../dialog.tsx';
import { Form } from './form.tsx';

interface Props
  extends Omit<ComponentProps<typeof Dialog>, 'onCancel'>,
    Pick<ComponentProps<typeof Form>, 'form' | 'remedy'> {
  /** A note on the change, read before it is made. */
  note?: string;
  /** `Save` unless stated. */
  submit?: string;
  isDanger?: boolean;
}

/** A dialog that consists of a form. Escape and Back ask before they discard what was entered. */
export function FormDialog(props: Props) {
  const { form, remedy, note, submit = texts.save, isDanger, children, ...dialog } = props;
  const [isChanged, setChanged] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const isDiscarded = useRef(false);
  const back = useBlocker(({ historyAction }) => isChanged && historyAction === 'POP');
  return (
    <>
      <Dialog
        {...dialog}
        onCancel={(event) => {
          if (!isChanged) return;
          event.preventDefault();
          setLeaving(true);
        }}
      >
        {note && <p className="muted">{note}</p>}
        <Form form={form} remedy={remedy} onChange={() => setChanged(true)}>
          {children}
          <div className="row">
            <Button type="submit" variant={isDanger ? 'danger' : 'primary'}>
              {submit}
            </Button>
            <Button variant="secondary" onClick={dialog.onClose}>
              {texts.cancel}
            </Button>
          </div>
        </Form>
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
            dialog.onClose();
          }}
        >
          <p>{texts.discardText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
