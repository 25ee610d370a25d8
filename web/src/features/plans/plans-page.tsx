import { nameOf, type Plan, type TaxIncluded } from '@rowmill/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link, useNavigate } from 'react-router';
import { DebtNotice } from '../../entities/credits/debt-notice.tsx';
import { chosenPlan, saveChosenPlan, useChosenPlan } from '../../entities/plan/chosen-plan.ts';
import { startFreePlan } from '../../entities/plan/free-plan.ts';
import { plansQuery } from '../../entities/plan/plans.ts';
import { PlanDates, planQuery } from '../../entities/plan/present-plan.tsx';
import { queryClient } from '../../lib/api/query.ts';
import { formatNumber, formatTax } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { useArrivalMessage } from '../../lib/hooks/use-arrival-message.ts';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { paths } from '../../lib/paths.ts';
import {
  isActingAsSelf,
  needsNoPlan,
  readIdentity,
  useActedClient,
  useIdentity,
  useSubjectId,
} from '../../lib/session.ts';
import { settings } from '../../lib/settings.ts';
import { storage, useStored } from '../../lib/storage.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/plans.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import styles from './plans-page.module.css';

export function PlansPage() {
  useTitle(texts.plans);
  const query = useQuery(plansQuery());
  const reason = useArrivalMessage();
  const identity = useIdentity();
  const subjectId = useSubjectId();
  const hasPlan = useStored('userPlan') !== null;
  const isOwn = isActingAsSelf(identity);
  const isNew = identity.user !== null && isOwn && !hasPlan && !needsNoPlan(identity);
  return (
    <div className="stack-wide">
      <h1>{texts.plans}</h1>
      {reason && <Notice isStatic>{reason}</Notice>}
      <p className="muted">{isNew ? texts.pickOne : texts.howTheyWork}</p>
      <ForWhom />
      {identity.user?.email_verified_at && subjectId && (
        <>
          <PresentPlan userId={subjectId} />
          <DebtNotice userId={subjectId} />
        </>
      )}
      <Loading query={query}>
        {({ plans, tax }) =>
          plans.length === 0 ? <NoPlans /> : <PlanList plans={plans} tax={tax} />
        }
      </Loading>
    </div>
  );
}

/** Names the client whose plan this is, while acting for one. */
function ForWhom() {
  const client = useActedClient();
  if (needsNoPlan(useIdentity())) {
    return (
      <Notice>
        {texts.youNeedNone} <Link to={paths.dashboard}>{texts.toDashboard}</Link>
      </Notice>
    );
  }
  return client && <Notice tone="warning">{texts.choosingFor(nameOf(client))}</Notice>;
}

function PresentPlan({ userId }: { userId: string }) {
  const client = useActedClient();
  const { plan, next_plans } = useQuery(planQuery(userId)).data ?? {};
  if (!plan) return null;
  return (
    <div>
      <strong>
        {client ? texts.planOf(nameOf(client), plan.name) : texts.yourPlanIs(plan.name)}
      </strong>
      <PlanDates plan={plan} next={next_plans ?? []} />
    </div>
  );
}

function NoPlans() {
  const { email } = settings().operator;
  return (
    <section className="card">
      <h2>{texts.noPlansTitle}</h2>
      <p>
        <RichText text={texts.noPlans} parts={{ email: <a href={`mailto:${email}`}>{email}</a> }} />
      </p>
    </section>
  );
}

function PlanList({ plans, tax }: { plans: readonly Plan[]; tax: TaxIncluded }) {
  const context = usePlanContext();
  const choice = useChoice();
  const taxText = formatTax(tax);
  return (
    <>
      <div className="grid-2">
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            mark={markOf(plan, context)}
            reason={whyNot(plan, context)}
            busy={choice.isPending && choice.variables.id === plan.id}
            error={choice.variables?.id === plan.id ? choice.error : null}
            onChoose={() => choice.mutate(plan)}
          />
        ))}
      </div>
      <Comparison plans={plans} />
      {taxText && <p className="muted">{texts.pricesInclude(taxText)}</p>}
    </>
  );
}

type PlanContext = ReturnType<typeof usePlanContext>;

function usePlanContext() {
  const identity = useIdentity();
  const present = useStored('userPlan');
  const selected = useChosenPlan();
  const isOwn = present?.user_id === identity.user?.id && isActingAsSelf(identity);
  return {
    isNeedless: needsNoPlan(identity),
    presentId: isOwn ? (present?.id ?? null) : null,
    selectedId: selected?.id ?? null,
  };
}

function markOf({ id }: Plan, { presentId, selectedId }: PlanContext): string | null {
  if (id === presentId) return texts.yourPlan;
  return id === selectedId ? texts.yourChoice : null;
}

/** Paid plans can be bought again; the free plan cannot. */
function whyNot(plan: Plan, { isNeedless, presentId }: PlanContext): string | null {
  if (isNeedless) return texts.adminNeedsNone;
  return plan.price_minor === 0 && plan.id === presentId ? texts.alreadyYours : null;
}

function useChoice() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (plan: Plan) => {
      const path = storeChoice(plan) ?? (await takeFree(plan));
      if (path === paths.dashboard) queryClient.clear();
      return path;
    },
    onSuccess: (path) => navigate(path),
  });
}

/** Saves the choice and returns the next page when more steps are needed. */
function storeChoice(plan: Plan): string | null {
  const user = storage.read('currentUser');
  const isPriced = plan.price_minor > 0;
  if (user?.email_verified_at && !isPriced) return null;
  // Choosing the same plan again continues its order, so that it is not paid twice.
  const kept = chosenPlan();
  saveChosenPlan({ ...plan, order_id: kept?.id === plan.id ? kept.order_id : undefined });
  if (isPriced) storage.write('navigateToBilling', true);
  else storage.remove('navigateToBilling');
  if (!user) return paths.register;
  return user.email_verified_at ? paths.billing : paths.resendLink;
}

async function takeFree(plan: Plan): Promise<string> {
  const { message } = await startFreePlan(plan);
  if (!isActingAsSelf(readIdentity())) showToast('success', message ?? texts.taken);
  return paths.dashboard;
}

interface CardProps {
  plan: Plan;
  mark: string | null;
  reason: string | null;
  busy: boolean;
  error: Error | null;
  onChoose: () => void;
}

function PlanCard({ plan, mark, reason, busy, error, onChoose }: CardProps) {
  const id = useId();
  return (
    <section className={`card ${styles.plan} ${plan.highlighted ? styles.highlighted : ''}`}>
      <div className="spread">
        <h2>{plan.name}</h2>
        {mark && <span className="badge">{mark}</span>}
      </div>
      <p className="number">{formatMoney(plan.price_minor, plan.currency)}</p>
      <ul>
        {plan.features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <div className="stack">
        <Button
          variant={plan.highlighted ? 'primary' : 'secondary'}
          busy={busy}
          disabled={reason !== null}
          aria-describedby={reason ? id : undefined}
          onClick={onChoose}
        >
          {texts.choose(plan.name)}
        </Button>
        {reason && (
          <p id={id} className="muted">
            {reason}
          </p>
        )}
        <ErrorNote error={error} />
      </div>
    </section>
  );
}

const compared = 100;
const columns = texts.comparedColumns(compared);
const [, price, , submissions, cost] = columns;

/** Plan figures side by side; the cards hold the descriptions. */
function Comparison({ plans }: { plans: readonly Plan[] }) {
  return (
    <section className="card">
      <h2>{texts.compared}</h2>
      <ScrollRegion label={texts.compared} className="scrolls">
        <table className={styles.comparison}>
          <TableHead columns={columns} amounts={[price, submissions, cost]} />
          <tbody>
            {plans.map((plan) => (
              <tr key={plan.id}>
                <th scope="row">{plan.name}</th>
                <td className="amount">{formatMoney(plan.price_minor, plan.currency)}</td>
                <td>
                  {plan.period_days === null
                    ? texts.noEnd
                    : texts.runsFor(formatNumber(plan.period_days))}
                </td>
                <td className="amount">{formatNumber(plan.submissions)}</td>
                <td className="amount">{priceOfCompared(plan)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

function priceOfCompared({ price_minor, submissions, currency }: Plan): string {
  return submissions === 0
    ? '–'
    : formatMoney(Math.round((price_minor * compared) / submissions), currency);
}
