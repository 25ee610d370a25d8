import { type Batch, renameBatch } from '@rowmill/contract';
import { useForm } from '../../../lib/hooks/use-form.ts';
import * as texts from '../../../texts/batches.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { applyEvent } from '../live-progress.ts';

export function RenameDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const form = useForm(async ({ name = '' }, send) => {
    const renamed = await send(renameBatch, { id: batch.id, name });
    applyEvent({ kind: 'batch', batch: renamed.batch });
    onClose();
    return renamed.message;
  });
  return (
    <FormDialog title={texts.renameTitle} form={form} onClose={onClose}>
      <TextField label={texts.newName} name="name" defaultValue={batch.name} maxLength={200} />
    </FormDialog>
  );
}
