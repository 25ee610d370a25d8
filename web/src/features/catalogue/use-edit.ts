import type { Endpoint, RequestOf } from '@rowmill/contract';
import { useForm, type Values } from '../../lib/hooks/use-form.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/catalogue.ts';
import { invalidatePrices } from './api.ts';

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
