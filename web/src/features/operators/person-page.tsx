import { can, getAuditLog, getPeople, isAssignable, type PersonSummary } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber, formatTime, formatTotal } from '../../lib/format.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import { useForm } from '../../lib/hooks/use-form.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/operators.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useConfirmation } from '../../ui/confirm-dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { EntryList } from '../../ui/list/entry-list.tsx';
import { StaleWhileError } from '../../ui/stale-while-error.tsx';
import { AdminSelect } from './admin-select.tsx';
import { AuditEntry } from './audit-section.tsx';
import { roleLabel } from './people-section.tsx';
import { type Change, labelOf, makeChange } from './person-changes.ts';
import { ReasonForm } from './reason-form.tsx';

const lastEntries = 10;

/** The page of one person: what is known, a form for each change, and what was done. */
export function PersonPage() {
  const { id = '' } = useParams();
  const query = useQuery(queryOf(getPeople, { person_id: id, limit: 1 }));
  return (
    <StaleWhileError query={query}>
      {({ people: [person] }) =>
        person ? (
          <Person key={id} person={person} />
        ) : (
          <section className="card">
            <h1>{texts.noSuchPerson}</h1>
            <div>
              <ButtonLink to={paths.operator}>{texts.people}</ButtonLink>
            </div>
          </section>
        )
      }
    </StaleWhileError>
  );
}

function Person({ person }: { person: PersonSummary }) {
  return (
    <>
      <div className="row">
        <h1 className="long">
          {person.first_name} {person.last_name}
        </h1>
        {person.suspended_at && <span className="badge warning">{texts.suspended}</span>}
      </div>
      <section className="card" aria-labelledby="facts-title">
        <h2 id="facts-title" className="sr-only">
          {texts.account}
        </h2>
        <FactList facts={factsOf(person)} isWide />
      </section>
      <div className="grid-fields">
        {useChanges(person).map((change) => (
          <section key={change} className="card" aria-labelledby={`${change}-title`}>
            <h2 id={`${change}-title`}>{labelOf(change, person)}</h2>
            <ChangeForm person={person} change={change} />
          </section>
        ))}
      </div>
      <LastEntries person={person} />
    </>
  );
}

function factsOf(person: PersonSummary) {
  const names = texts.personFacts;
  return [
    { name: names.email, value: person.email },
    {
      name: names.verified,
      value: person.email_verified_at ? formatTime(person.email_verified_at) : texts.notVerified,
    },
    { name: names.role, value: roleLabel(person.role_id) },
    ...(can(person.role_id, 'belongToAdmin')
      ? [{ name: names.admin, value: person.admin?.name ?? texts.noManager }]
      : []),
    { name: names.plan, value: person.plan ?? texts.noPlan },
    { name: names.submissions, value: formatNumber(person.creditsAvailable) },
    ...(person.debt > 0 ? [{ name: names.owes, value: formatNumber(person.debt) }] : []),
    {
      name: names.lastSeen,
      value: person.last_seen_at ? formatTime(person.last_seen_at) : texts.neverSeen,
    },
    ...(person.suspended_at
      ? [{ name: names.suspended, value: formatTime(person.suspended_at) }]
      : []),
  ];
}

/** What this operator may change about the person. */
function useChanges(person: PersonSummary): readonly Change[] {
  const canAdjust = useCan('adjustCredits');
  const canManage = useCan('managePeople');
  return [
    ...(canAdjust ? (['adjust'] as const) : []),
    ...(canManage && can(person.role_id, 'belongToAdmin') ? (['move'] as const) : []),
    ...(canManage && isAssignable(person.role_id) ? (['changeRole', 'suspend'] as const) : []),
  ];
}

/** What the person did and what was done to them. */
function LastEntries({ person: { id } }: { person: PersonSummary }) {
  const query = useQuery(queryOf(getAuditLog, { search: id, start: 0, limit: lastEntries }));
  return (
    <section className="card" aria-labelledby="entries-title">
      <h2 id="entries-title">{texts.auditLog}</h2>
      <StaleWhileError query={query}>
        {({ entries, total }) => (
          <>
            {total === 0 && <p className="muted">{texts.noEntries}</p>}
            <EntryList entries={entries}>{(entry) => <AuditEntry entry={entry} />}</EntryList>
            {total > entries.length && (
              <Link to={{ pathname: paths.operator, search: `?view=audit&search=${id}` }}>
                {texts.allEntries(formatTotal(total))}
              </Link>
            )}
          </>
        )}
      </StaleWhileError>
    </section>
  );
}

/** Cleared after the change, so a second click does nothing. The person sees the reason. */
function ChangeForm({ person, change }: { person: PersonSummary; change: Change }) {
  const { ask, dialog } = useConfirmation();
  const isDangerous = change === 'suspend' && !person.suspended_at;
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
                hint={
                  person.debt > 0
                    ? texts.debtHint(formatNumber(person.debt))
                    : texts.balanceHint(formatNumber(person.creditsAvailable))
                }
              />
            )}
            {change === 'move' && <AdminSelect key={person.admin?.id} present={person.admin} />}
          </>
        }
      >
        <div>
          <Button type="submit" variant={isDangerous ? 'danger' : 'secondary'}>
            {labelOf(change, person)}
          </Button>
        </div>
      </ReasonForm>
      {dialog}
    </>
  );
}
