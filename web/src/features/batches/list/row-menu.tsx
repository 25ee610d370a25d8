import type { Batch } from '@rowmill/contract';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import * as texts from '../../../texts/batches.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { ActionButton } from '../actions/action-button.tsx';
import { DownloadMenu } from '../actions/download-menu.tsx';
import { useActionButtons } from '../actions/use-action-buttons.tsx';
import { RenameDialog } from './rename-dialog.tsx';

/** The actions on a batch of the list that are or may become available, in one menu. */
export function RowMenu({ batch, onDeleted }: { batch: Batch; onDeleted: () => void }) {
  const { playOrPause, stop, retryFailed, remove, aside } = useActionButtons(batch, onDeleted);
  const isEnded = batch.ended_at !== null;
  const [isRenaming, setRenaming] = useState(false);
  return (
    <>
      <DownloadMenu batch={batch} isSmall />
      <MenuButton label={texts.more} of={batch.name} isSmall>
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
