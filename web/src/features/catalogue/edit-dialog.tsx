import type { FormEvent, ReactNode } from 'react';
import * as texts from '../../texts/catalogue.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

interface Props {
  title: string;
  /** What holds of this change, said before it is made. */
  note: string;
  form: {
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    error: string | null;
    isOutdated: boolean;
    busy: boolean;
  };
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
      <form className="stack" onSubmit={form.onSubmit} noValidate>
        {form.error && (
          <Notice tone="error">
            <p>{form.error}</p>
            {form.isOutdated && (
              <Button variant="secondary" onClick={onLookAgain}>
                {texts.lookAgain}
              </Button>
            )}
          </Notice>
        )}
        {children}
        <div className="row">
          <Button type="submit" busy={form.busy}>
            {texts.save}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {texts.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
