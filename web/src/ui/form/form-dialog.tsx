import type { ComponentProps, ReactNode } from 'react';
import * as texts from '../../texts/ui.ts';
import { Button } from '../button.tsx';
import { AskingDialog } from './asking-dialog.tsx';
import { Form } from './form.tsx';

interface Props
  extends Omit<ComponentProps<typeof AskingDialog>, 'children'>,
    Pick<ComponentProps<typeof Form>, 'form' | 'remedy'> {
  /** A note on the change, read before it is made. */
  note?: string;
  /** `Save` unless stated. */
  submit?: string;
  isDanger?: boolean;
  children: ReactNode;
}

/** A dialog that consists of a form. */
export function FormDialog(props: Props) {
  const { form, remedy, note, submit = texts.save, isDanger, children, ...dialog } = props;
  return (
    <AskingDialog {...dialog}>
      {() => (
        <>
          {note && <p className="muted">{note}</p>}
          <Form form={form} remedy={remedy}>
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
        </>
      )}
    </AskingDialog>
  );
}
