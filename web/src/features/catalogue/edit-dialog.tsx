import type { ComponentProps, ReactNode } from 'react';
import * as texts from '../../texts/catalogue.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';

interface Props {
  title: string;
  /** What holds of this change, said before it is made. */
  note: string;
  form: ComponentProps<typeof Form>['form'] & { isOutdated: boolean };
  /** Refills the form with the current values. */
  onLookAgain: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** What every edit has: the fields, what the server says to it, and the way out. */
export function EditDialog({ title, note, form, onLookAgain, onClose, children }: Props) {
  return (
    <Dialog title={title} size="large" onClose={onClose}>
      <p className="muted">{note}</p>
      <Form
        form={form}
        remedy={
          form.isOutdated && (
            <Button variant="secondary" onClick={onLookAgain}>
              {texts.lookAgain}
            </Button>
          )
        }
      >
        {children}
        <div className="row">
          <Button type="submit">{texts.save}</Button>
          <Button variant="secondary" onClick={onClose}>
            {texts.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
