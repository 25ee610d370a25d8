import { getAuditLog, getPeople, type PersonSummary } from '@rowmill/contract';
import { formatNumber } from '../../lib/format.ts';
import { useForm } from '../../lib/hooks/use-form.ts';
import * as texts from '../../texts/operators.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirmation } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { AdminSelect } from './admin-select.tsx';
import { type Change, labelOf, makeChange } from './person-changes.ts';
import { ReasonForm } from './reason-form.tsx';

/** Cleared after the change, so a second click does nothing. The person sees the reason. */
export function ChangeForm({ person, change }: { person: PersonSummary; change: Change }) {
  const { ask, dialog } = useConfirmation();
  const form = useForm(
    async (values, send) => (await makeChange(person, { change, values, send, ask })) ?? texts.done,
    { isClearedAfterwards: true, changes: [getPeople, getAuditLog] },
  );
  return (
    <>
      <ReasonForm
        form={form}
        fields={
          <>
            {change === 'adjust' && (
              <TextField
                label={texts.balanceChange}
                name="change"
                hint={texts.balanceHint(formatNumber(person.creditsAvailable))}
              />
            )}
            {change === 'move' && <AdminSelect present={person.admin} />}
          </>
        }
      >
        <div>
          <Button type="submit" variant={change === 'suspend' ? 'danger' : 'secondary'}>
            {labelOf(change, person)}
          </Button>
        </div>
      </ReasonForm>
      {dialog}
    </>
  );
}
