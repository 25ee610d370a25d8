import type { Endpoint, RequestOf } from '@rowmill/contract';
import type { ReactNode } from 'react';
import { useForm, type Values } from '../../lib/hooks/use-form.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { invalidatePrices } from './api.ts';

interface Props {
  title: string;
  /** What holds of this change, said before it is made. */
  note: string;
  form: ReturnType<typeof useEdit>;
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
        <FormButtons onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface Edit<E extends Endpoint> {
  endpoint: E;
  /** The request that the fields describe. */
  toRequest: (values: Values) => RequestOf<E>;
  onSaved: () => void;
}

/** The form of a catalogue item. It is outdated when another operator saved the item first. */
export function useEdit<E extends Endpoint>({ endpoint, toRequest, onSaved }: Edit<E>) {
  const { code, ...form } = useForm(async (values, send) => {
    const { message } = await send(endpoint, toRequest(values));
    showToast('success', message ?? texts.saved);
    invalidatePrices();
    onSaved();
  });
  return { ...form, isOutdated: code === 'not_now' };
}
