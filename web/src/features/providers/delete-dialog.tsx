import { deleteProvider, type Provider } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api/api-client.ts';
import { invalidate } from '../../lib/api/query.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/operator/providers.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { changedByProviders } from './api.ts';

interface Props {
  provider: Provider;
  /** Has models, so it cannot be deleted. */
  isUsed: boolean;
  onClose: () => void;
}

export function DeleteDialog({ provider, isUsed, onClose }: Props) {
  const deletion = useMutation({
    mutationFn: () => call(deleteProvider, { id: provider.id ?? '' }),
    onSuccess: async ({ message }) => {
      showToast('success', message ?? '');
      for (const changed of changedByProviders) await invalidate(changed);
    },
  });
  if (isUsed)
    return (
      <Dialog title={texts.removeItem(provider.name)} onClose={onClose}>
        <p>{texts.removeModelsFirst}</p>
        <div>
          <Button variant="secondary" onClick={onClose}>
            {texts.close}
          </Button>
        </div>
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={texts.removeItem(provider.name)}
      confirm={texts.remove}
      isDanger
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>{texts.removeText}</p>
    </ConfirmDialog>
  );
}
