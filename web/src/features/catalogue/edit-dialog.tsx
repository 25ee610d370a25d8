import type { Endpoint, RequestOf } from '@rowmill/contract';
import type { ComponentProps } from 'react';
import { useForm, type Values } from '../../lib/hooks/use-form.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { changedByPrices } from './api.ts';

interface Props extends Omit<ComponentProps<typeof FormDialog>, 'form'> {
  form: ReturnType<typeof useEdit>;
  /** Refills the form with the current values. */
  onShowCurrent: () => void;
}

/** What every edit has: its fields, the answer of the server, and how to close it. */
export function EditDialog({ form, onShowCurrent, ...dialog }: Props) {
  const remedy = form.isOutdated && (
    <Button variant="secondary" onClick={onShowCurrent}>
      {texts.showCurrent}
    </Button>
  );
  return <FormDialog {...dialog} size="large" form={form} remedy={remedy} />;
}

interface Edit<E extends Endpoint> {
  endpoint: E;
  /** The request that the fields describe. */
  toRequest: (values: Values) => RequestOf<E>;
  onSaved: () => void;
}

/** The form of a catalogue item. It is outdated when another operator saved the item first. */
export function useEdit<E extends Endpoint>({ endpoint, toRequest, onSaved }: Edit<E>) {
  const { code, ...form } = useForm(
    async (values, send) => {
      const { message } = await send(endpoint, toRequest(values));
      onSaved();
      return message;
    },
    { changes: changedByPrices },
  );
  return { ...form, isOutdated: code === 'not_now' };
}
