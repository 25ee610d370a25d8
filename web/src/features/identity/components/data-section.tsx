import { deleteUserAccount, exportUserData } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call, callForFile } from '../../../lib/api-client.ts';
import { paths } from '../../../lib/paths.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { endSession } from '../../../lib/session.ts';
import { showToast } from '../../../lib/toasts.ts';
import { useSubmit } from '../../../lib/use-submit.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { CurrentPasswordField } from './current-password-field.tsx';

export function DataSection() {
  const [isDeleting, setDeleting] = useState(false);
  const exporting = useMutation({
    mutationFn: () => callForFile(exportUserData, {}),
    onSuccess: (file) => saveFile('rowmill-account.json', file),
    onError: (error) => showToast('error', wordsFor(error)),
  });
  return (
    <section className="card">
      <h2>Your data</h2>
      <p className="soft">Take everything that is kept about you as one file, or delete it.</p>
      <div className="row">
        <Button variant="secondary" busy={exporting.isPending} onClick={() => exporting.mutate()}>
          Export my data
        </Button>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          Delete my account
        </Button>
      </div>
      {isDeleting && <DeletionDialog onClose={() => setDeleting(false)} />}
    </section>
  );
}

function DeletionDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { onSubmit, problems, error, busy } = useSubmit({
    endpoint: deleteUserAccount,
    send: async ({ current_password = '' }) => {
      const { message } = await call(deleteUserAccount, { current_password });
      endSession();
      showToast('success', message ?? 'Your account is deleted.');
      await navigate(paths.auth);
    },
  });
  return (
    <Dialog title="Delete my account" onClose={onClose}>
      <p>
        Your name, addresses and devices are deleted at once, and unused submissions are lost. Entries of the ledger stay without
        your name.
      </p>
      <form className="stack" onSubmit={onSubmit} noValidate>
        {error && <Notice tone="error">{error}</Notice>}
        <CurrentPasswordField problem={problems.current_password} />
        <div className="row">
          <Button type="submit" variant="danger" busy={busy}>
            Delete for good
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
