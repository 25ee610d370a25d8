import { can, isAssignable, type PersonSummary } from '@rowmill/contract';
import { useState } from 'react';
import { useCan } from '../../lib/hooks/use-can.ts';
import * as texts from '../../texts/operators.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { ChangeForm } from './change-form.tsx';
import { type Change, labelOf } from './person-changes.ts';

/** One change at a time, each with its own form and its own reason. */
export function PersonDialog({ person, onClose }: { person: PersonSummary; onClose: () => void }) {
  const canAdjust = useCan('adjustCredits');
  const canManage = useCan('managePeople');
  const changes: Change[] = [
    ...(canAdjust ? (['adjust'] as const) : []),
    ...(canManage && can(person.role_id, 'belongToAdmin') ? (['move'] as const) : []),
    ...(canManage && isAssignable(person.role_id) ? (['changeRole', 'suspend'] as const) : []),
  ];
  const [chosen, setChosen] = useState<Change | undefined>(changes[0]);
  const change = changes.find((one) => one === chosen) ?? changes[0];
  return (
    <Dialog title={`${person.first_name} ${person.last_name}`} size="medium" onClose={onClose}>
      <p className="muted long">{person.email}</p>
      {change && (
        <>
          <ChoiceField
            label={texts.whatToChange}
            name="act"
            value={change}
            choices={changes.map((one) => [one, labelOf(one, person)] as const)}
            onChange={({ target }) => setChosen(target.value as Change)}
          />
          <ChangeForm key={change} person={person} change={change} />
        </>
      )}
      <div>
        <Button variant="secondary" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  );
}
