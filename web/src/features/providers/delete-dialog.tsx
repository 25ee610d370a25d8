import { deleteProvider, type Provider } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api/api-client.ts';
import { invalidate } from '../../lib/api/query.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/operator/providers.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { changedByProviders } from './api.ts';

export function DeleteDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const deletion = useMutation({
    mutationFn: () => call(deleteProvider, { id: provider.id ?? '' }),
    onSuccess: async ({ message }) => {
      showToast('success', message ?? '');
      for (const changed of changedByProviders) await invalidate(changed);
    },
  });
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
