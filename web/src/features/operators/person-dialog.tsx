import {
  can,
  getAuditLog,
  getPeople,
  isAssignable,
  moveClient,
  type PersonSummary,
  roles,
  setRole,
  setSuspended,
  updateCreditCount,
} from '@rowmill/contract';
import { type FormEvent, useRef, useState } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { invalidate } from '../../lib/api/query.ts';
import { errorMessage } from '../../lib/api/refusal.ts';
import { formatNumber } from '../../lib/format.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/operators.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AdminSelect } from './admin-select.tsx';

interface Said {
  reason: string;
  change: string;
  admin: string;
}
type Act = (said: Said) => Promise<string | undefined>;

/** Every change needs a reason, which is stored and visible to the person. */
export function PersonDialog({ person, onClose }: { person: PersonSummary; onClose: () => void }) {
  const { onSubmit, pressed, error, busy } = useActs();
  const acts = actsOn(person);
  const isAdmin = can(person.role_id, 'manageClients');
  return (
    <Dialog
      title={`${person.first_name} ${person.last_name}`}
      className="client-dialog"
      onClose={onClose}
    >
      <p className="muted long">{person.email}</p>
      <form className="stack" onSubmit={onSubmit} noValidate>
        {error && <Notice tone="error">{error}</Notice>}
        <TextField
          label={texts.reason}
          name="reason"
          autoComplete="off"
          maxLength={200}
          hint={texts.reasonHint}
        />
        <TextField
          label={texts.balanceChange}
          name="change"
          autoComplete="off"
          hint={texts.balanceHint(formatNumber(person.creditsAvailable))}
        />
        <div>
          <Button type="submit" variant="secondary" busy={busy} onClick={pressed(acts.adjust)}>
            {texts.changeBalance}
          </Button>
        </div>
        {can(person.role_id, 'belongToAdmin') && (
          <>
            <AdminSelect present={person.admin} />
            <div>
              <Button type="submit" variant="secondary" busy={busy} onClick={pressed(acts.move)}>
                {texts.moveClient}
              </Button>
            </div>
          </>
        )}
        {isAssignable(person.role_id) && (
          <div className="row">
            <Button
              type="submit"
              variant="secondary"
              busy={busy}
              onClick={pressed(acts.changeRole)}
            >
              {isAdmin ? texts.makeClient : texts.makeAdmin}
            </Button>
            <Button type="submit" variant="danger" busy={busy} onClick={pressed(acts.suspend)}>
              {person.suspended_at ? texts.liftSuspension : texts.suspend}
            </Button>
          </div>
        )}
      </form>
      <div>
        <Button variant="secondary" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  );
}

/** One form, several buttons: the pressed one decides what is sent. */
function useActs() {
  const chosen = useRef<Act | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Partial<Said>;
    const said = {
      reason: values.reason?.trim() ?? '',
      change: values.change?.trim() ?? '',
      admin: values.admin ?? '',
    };
    if (!said.reason) return setError(texts.reasonMissing);
    setBusy(true);
    setError(null);
    try {
      showToast('success', (await chosen.current?.(said)) ?? texts.done);
    } catch (failure) {
      setError(errorMessage(failure));
    } finally {
      setBusy(false);
      for (const endpoint of [getPeople, getAuditLog]) void invalidate(endpoint);
    }
  }
  const pressed = (act: Act) => () => {
    chosen.current = act;
  };
  return { onSubmit, pressed, error, busy };
}

function actsOn({ id: user_id, role_id, suspended_at, first_name }: PersonSummary): Acts {
  return {
    adjust: async ({ reason, change }) => {
      if (!/^[+-]?\d{1,9}$/.test(change)) throw new Error(texts.notWhole);
      const { creditsAvailable } = await call(updateCreditCount, {
        user_id,
        change: Number(change),
        reason,
      });
      return texts.nowHas({ person: first_name, submissions: formatNumber(creditsAvailable) });
    },
    move: async ({ reason, admin }) =>
      (await call(moveClient, { user_id, admin_id: admin || null, reason })).message,
    changeRole: async ({ reason }) =>
      (
        await call(setRole, {
          user_id,
          role_id: can(role_id, 'manageClients') ? roles.client : roles.admin,
          reason,
        })
      ).message,
    suspend: async ({ reason }) =>
      (await call(setSuspended, { user_id, suspended: !suspended_at, reason })).message,
  };
}

interface Acts {
  adjust: Act;
  move: Act;
  changeRole: Act;
  suspend: Act;
}
