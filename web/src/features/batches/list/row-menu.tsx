import { type Batch, renameBatch } from '@rowmill/contract';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { more } from '../../../texts/batches/batch.ts';
import * as texts from '../../../texts/batches/list.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { ActionButton } from '../actions/action-button.tsx';
import { DownloadMenu } from '../actions/download-menu.tsx';
import { useActionButtons } from '../actions/use-action-buttons.tsx';
import { applyEvent } from '../live-progress.ts';

/** The actions on a batch of the list that are or may become available, in one menu. */
export function RowMenu({ batch, onDeleted }: { batch: Batch; onDeleted: () => void }) {
  const { playOrPause, stop, retryFailed, remove, aside } = useActionButtons(batch, onDeleted);
  const isEnded = batch.ended_at !== null;
  const [isRenaming, setRenaming] = useState(false);
  return (
    <>
      <DownloadMenu batch={batch} isSmall />
      <MenuButton label={more} of={batch.name} isSmall>
        {!isEnded && playOrPause}
        {!isEnded && stop}
        {batch.failed > 0 && retryFailed}
        <ActionButton
          label={texts.rename}
          of={batch.name}
          icon={Pencil}
          onAct={() => setRenaming(true)}
        />
        {remove}
      </MenuButton>
      {aside}
      {isRenaming && <RenameDialog batch={batch} onClose={() => setRenaming(false)} />}
    </>
  );
}

function RenameDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
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
