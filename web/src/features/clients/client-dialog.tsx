import {
  type ClientSummary,
  getAvailableCredits,
  nameOf,
  passwordResetByAdmin,
  setClientLimits,
  userList,
  withdrawInvitation,
} from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { invalidate } from '../../lib/api/query.ts';
import { formatNumber } from '../../lib/format.ts';
import { useForm } from '../../lib/hooks/use-form.ts';
import { showToast } from '../../lib/toasts.ts';
import { parseWholeNumber } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirmation } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-note.tsx';
import { AskingDialog } from '../../ui/form/asking-dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { NumberField, TextField } from '../../ui/form/text-field.tsx';
import { ClientCredits } from './client-credits.tsx';

interface Props {
  client: ClientSummary;
  /** The submissions that the admin can give. */
  canGive: number | null;
  onClose: () => void;
}

export function ClientDialog({ client, canGive, onClose }: Props) {
  return (
    <AskingDialog title={nameOf(client)} size="medium" onClose={onClose}>
      {(leave) => (
        <>
          <p className="muted long">
            {client.email} {client.phone && `· ${client.phone}`}
          </p>
          <ClientCredits client={client} canGive={canGive} />
          <ClientLimits client={client} />
          <ClientAccess client={client} onGone={onClose} />
          <div>
            <Button variant="secondary" onClick={leave}>
              {texts.close}
            </Button>
          </div>
        </>
      )}
    </AskingDialog>
  );
}

/** Sends only what was changed here, so that a limit that another tab has set stays. */
function ClientLimits({ client }: { client: ClientSummary }) {
  const known = useRef<Pick<ClientSummary, 'monthly_limit' | 'low_balance_at'>>(client);
  const form = useForm(
    async (values, send) => {
      const monthly_limit = limitIn(values.monthly_limit);
      const low_balance_at = limitIn(values.low_balance_at);
      const { message } = await send(setClientLimits, {
        user_id: client.id,
        ...(monthly_limit !== known.current.monthly_limit && { monthly_limit }),
        ...(low_balance_at !== known.current.low_balance_at && { low_balance_at }),
      });
      known.current = { monthly_limit, low_balance_at };
      return message;
    },
    { changes: [userList] },
  );
  return (
    <Form form={form} aria-labelledby="client-limits">
      <h3 id="client-limits">{texts.limits}</h3>
      <p>{texts.spentThisMonth(formatNumber(client.spent_this_month))}</p>
      <NumberField
        label={texts.mostInMonth}
        name="monthly_limit"
        defaultValue={client.monthly_limit}
        hint={texts.mostHint}
      />
      <NumberField
        label={texts.lowBalanceAlert}
        name="low_balance_at"
        defaultValue={client.low_balance_at}
        hint={texts.lowBalanceHint}
      />
      <div>
        <Button type="submit" variant="secondary">
          {texts.saveLimits}
        </Button>
      </div>
    </Form>
  );
}

/** Empty means no limit. */
function limitIn(text = ''): number | null {
  return text.trim() ? parseWholeNumber(text) : null;
}

interface AccessProps {
  client: ClientSummary;
  /** The client no longer exists. */
  onGone: () => void;
}

function ClientAccess({ client, onGone }: AccessProps) {
  return (
    <section className="stack" aria-labelledby="client-access">
      <h3 id="client-access">{texts.access}</h3>
      {client.accepted ? (
        <ResetPassword client={client} />
      ) : (
        <>
          <InviteAgain client={client} />
          <WithdrawInvitation client={client} onGone={onGone} />
        </>
      )}
    </section>
  );
}

/** Also at another address, if the first one was wrong. */
function InviteAgain({ client }: { client: ClientSummary }) {
  const form = useForm(
    async ({ email = '' }, send) => {
      const { message } = await send(passwordResetByAdmin, { user_id: client.id, email });
      return message;
    },
    { changes: [userList] },
  );
  return (
    <Form form={form} aria-labelledby="client-access">
      <p>{texts.inviteWords(client.first_name)}</p>
      <TextField
        label={texts.email}
        name="email"
        type="email"
        defaultValue={client.email}
        required
      />
      <div>
        <Button type="submit" variant="secondary">
          {texts.inviteAgain}
        </Button>
      </div>
    </Form>
  );
}

function WithdrawInvitation({ client, onGone }: AccessProps) {
  const { ask, dialog } = useConfirmation();
  const withdrawal = useMutation({
    mutationFn: () => call(withdrawInvitation, { user_id: client.id }),
    onSuccess: ({ message }) => {
      showToast('success', message ?? '');
      onGone();
    },
    onSettled: () => {
      for (const changed of [userList, getAvailableCredits]) void invalidate(changed);
    },
  });
  async function confirm(): Promise<void> {
    if (await ask(texts.confirmWithdrawal(client.first_name))) withdrawal.mutate();
  }
  return (
    <>
      <p>{texts.withdrawWords}</p>
      <div>
        <Button variant="danger" busy={withdrawal.isPending} onClick={() => void confirm()}>
          {texts.withdraw}
        </Button>
      </div>
      {dialog}
    </>
  );
}

/** Signs the client out and emails a link to choose a password. */
function ResetPassword({ client }: { client: ClientSummary }) {
  const { ask, dialog } = useConfirmation();
  const reset = useMutation({
    mutationFn: () => call(passwordResetByAdmin, { user_id: client.id }),
    onSuccess: ({ message }) => showToast('success', message ?? texts.linkSent),
  });
  async function confirm(): Promise<void> {
    if (await ask(texts.confirmReset(client.first_name))) reset.mutate();
  }
  return (
    <>
      <p>{texts.resetWords(client.first_name)}</p>
      <ErrorNotice error={reset.error} />
      <div>
        <Button variant="secondary" busy={reset.isPending} onClick={() => void confirm()}>
          {texts.resetPassword}
        </Button>
      </div>
      {dialog}
    </>
  );
}
