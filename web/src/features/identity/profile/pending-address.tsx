import { verifyAndUpdateUserDetails } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/api-client.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import { CurrentPasswordField } from '../passwords/current-password-field.tsx';
import { storeAccount } from '../store-account.ts';

/** A pending address: send another link, or cancel the change. */
export function PendingAddress({ present, pending }: { present: string; pending: string }) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useMutation({
    // Submitting the current address cancels the change.
    mutationFn: () => call(verifyAndUpdateUserDetails, { email: present }),
    onSuccess: (answer) => {
      storeAccount(answer);
      showToast('success', answer.message);
    },
  });
  return (
    <Notice>
      <div className="stack">
        <p>
          <RichText
            text={texts.waitsForLink}
            parts={{ email: <strong className="long">{pending}</strong> }}
          />
        </p>
        <div className="row">
          <Button variant="secondary" onClick={() => setAsking(true)}>
            {texts.sendLinkAgain}
          </Button>
          <Button variant="ghost" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {texts.cancelChange}
          </Button>
          <ErrorNote error={cancel.error} />
        </div>
        {isAsking && <SendAgainDialog pending={pending} onClose={() => setAsking(false)} />}
      </div>
    </Notice>
  );
}

/** Requires the password again, because a borrowed session must not move an account. */
function SendAgainDialog({ pending, onClose }: { pending: string; onClose: () => void }) {
  const form = useForm(async ({ current_password = '' }, send) => {
    const answer = await send(verifyAndUpdateUserDetails, { email: pending, current_password });
    storeAccount(answer);
    onClose();
    return answer.message;
  });
  return (
    <FormDialog title={texts.sendLinkAgain} form={form} submit={texts.sendLink} onClose={onClose}>
      <CurrentPasswordField />
    </FormDialog>
  );
}
