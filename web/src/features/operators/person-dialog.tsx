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
import { invalidate } from '../../lib/api/query.ts';
import { formatNumber } from '../../lib/format.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import { InvalidFields, type Send, useForm, type Values } from '../../lib/hooks/use-form.ts';
import { parseWholeNumber } from '../../lib/parse-whole-number.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/operators.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { AdminSelect } from './admin-select.tsx';
import { ReasonForm } from './reason-form.tsx';

/** Every change needs a reason, which is stored and visible to the person. */
export function PersonDialog({ person, onClose }: { person: PersonSummary; onClose: () => void }) {
  const form = useForm(async (values, send) => {
    try {
      showToast('success', (await sendChange(person, values, send)) ?? texts.done);
    } finally {
      void invalidate(getPeople);
      void invalidate(getAuditLog);
    }
  });
  const canAdjust = useCan('adjustCredits');
  const canManage = useCan('managePeople');
  const isAdmin = can(person.role_id, 'manageClients');
  return (
    <Dialog title={`${person.first_name} ${person.last_name}`} size="medium" onClose={onClose}>
      <p className="muted long">{person.email}</p>
      <ReasonForm form={form}>
        {canAdjust && (
          <>
            <TextField
              label={texts.balanceChange}
              name="change"
              autoComplete="off"
              problem={form.problems.change}
              hint={texts.balanceHint(formatNumber(person.creditsAvailable))}
            />
            <div>
              <Button type="submit" variant="secondary" busy={form.busy} name="act" value="adjust">
                {texts.changeBalance}
              </Button>
            </div>
          </>
        )}
        {canManage && can(person.role_id, 'belongToAdmin') && (
          <>
            <AdminSelect present={person.admin} />
            <div>
              <Button type="submit" variant="secondary" busy={form.busy} name="act" value="move">
                {texts.moveClient}
              </Button>
            </div>
          </>
        )}
        {canManage && isAssignable(person.role_id) && (
          <div className="row">
            <Button
              type="submit"
              variant="secondary"
              busy={form.busy}
              name="act"
              value="changeRole"
            >
              {isAdmin ? texts.makeClient : texts.makeAdmin}
            </Button>
            <Button type="submit" variant="danger" busy={form.busy} name="act" value="suspend">
              {person.suspended_at ? texts.liftSuspension : texts.suspend}
            </Button>
          </div>
        )}
      </ReasonForm>
      <div>
        <Button variant="secondary" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  );
}

/** One form, several buttons: the pressed one decides what is sent. */
async function sendChange(person: PersonSummary, values: Values, send: Send) {
  const { id: user_id, role_id, suspended_at, first_name } = person;
  const reason = values.reason?.trim() ?? '';
  if (!reason) throw new InvalidFields({ reason: texts.reasonMissing });
  if (values.act === 'move')
    return (await send(moveClient, { user_id, admin_id: values.admin || null, reason })).message;
  if (values.act === 'suspend')
    return (await send(setSuspended, { user_id, suspended: !suspended_at, reason })).message;
  if (values.act === 'changeRole') {
    const next = can(role_id, 'manageClients') ? roles.client : roles.admin;
    return (await send(setRole, { user_id, role_id: next, reason })).message;
  }
  const change = parseWholeNumber(values.change ?? '', { signed: true });
  if (Number.isNaN(change)) throw new InvalidFields({ change: texts.notWhole });
  const { creditsAvailable } = await send(updateCreditCount, { user_id, change, reason });
  return texts.nowHas({ person: first_name, submissions: formatNumber(creditsAvailable) });
}
