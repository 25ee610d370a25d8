import { deleteUserAccount, exportUserData } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { callForFile } from '../../../lib/api/api-client.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { paths } from '../../../lib/paths.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { endSession } from '../../../lib/session.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { CurrentPasswordField } from '../passwords/current-password-field.tsx';

export function DataSection() {
  const [isDeleting, setDeleting] = useState(false);
  const exporting = useMutation({
    mutationFn: () => callForFile(exportUserData, {}),
    onSuccess: (file) => saveFile(texts.exportName, file),
  });
  return (
    <section className="card">
      <h2>{texts.yourData}</h2>
      <p className="muted">{texts.whatDataMeans}</p>
      <div className="row">
        <Button variant="secondary" busy={exporting.isPending} onClick={() => exporting.mutate()}>
          {texts.exportData}
        </Button>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          {texts.deleteAccount}
        </Button>
        <ErrorNote error={exporting.error} />
      </div>
      {isDeleting && <DeletionDialog onClose={() => setDeleting(false)} />}
    </section>
  );
}

function DeletionDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm(async ({ current_password = '' }, send) => {
    const { message } = await send(deleteUserAccount, { current_password });
    endSession();
    await navigate(paths.auth);
    return message;
  });
  return (
    <FormDialog
      title={texts.deleteAccount}
      note={texts.whatDeletingDoes}
      form={form}
      submit={texts.deleteForGood}
      isDanger
      onClose={onClose}
    >
      <CurrentPasswordField />
    </FormDialog>
  );
}
