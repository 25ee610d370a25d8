import type { Endpoint, RequestOf } from '@rowmill/contract';
import type { ComponentProps } from 'react';
import { InvalidFields, useForm, type Values } from '../../lib/hooks/use-form.ts';
import * as texts from '../../texts/ui.ts';
import { Button } from '../button.tsx';
import { FormDialog } from './form-dialog.tsx';

interface Props<E extends Endpoint>
  extends Omit<ComponentProps<typeof FormDialog>, 'form' | 'size' | 'remedy'> {
  endpoint: E;
  /** The request that the fields describe. */
  toRequest: (values: Values) => RequestOf<E>;
  /** Asks before a change that is hard to undo. */
  confirm?: (values: Values) => Promise<boolean>;
  /** What shows the item. */
  changes: readonly Endpoint[];
  /** Refills the form with the current values, after another operator saved the item first. */
  onShowCurrent: () => void;
}

/** The form of an item with versions, which closes once the item is saved. */
export function EditDialog<E extends Endpoint>(props: Props<E>) {
  const { endpoint, toRequest, confirm, changes, onShowCurrent, ...dialog } = props;
  const form = useForm(
    async (values, send) => {
      if (confirm && !(await confirm(values))) throw new InvalidFields({});
      const { message } = await send(endpoint, toRequest(values));
      dialog.onClose();
      return message;
    },
    { changes },
  );
  const remedy = form.code === 'not_now' && (
    <Button variant="secondary" onClick={onShowCurrent}>
      {texts.showCurrent}
    </Button>
  );
  return <FormDialog {...dialog} size="large" form={form} remedy={remedy} />;
}
