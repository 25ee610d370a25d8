import { type Batch, renameBatch } from '@rowmill/contract';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/batches.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { FormButtons } from '../../../ui/form/form-buttons.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { applyEvent } from '../live-progress.ts';

export function RenameDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const form = useForm(async ({ name = '' }, send) => {
    const renamed = await send(renameBatch, { id: batch.id, name });
    applyEvent({ kind: 'batch', batch: renamed.batch });
    showToast('success', renamed.message);
    onClose();
  });
  return (
    <Dialog title={texts.renameTitle} onClose={onClose}>
      <Form form={form}>
        <TextField label={texts.newName} name="name" defaultValue={batch.name} maxLength={200} />
        <FormButtons onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
