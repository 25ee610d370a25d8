import { nameOf, type Plan } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link, Navigate } from 'react-router';
import { useChosenPlan } from '../../../entities/plan/chosen-plan.ts';
import { plansQuery } from '../../../entities/plan/plans.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useTitle } from '../../../lib/hooks/use-title.ts';
import { paths, payPath } from '../../../lib/paths.ts';
import { needsNoPlan, useActedClient, useIdentity, useSubjectId } from '../../../lib/session.ts';
import { storage, useStored } from '../../../lib/storage.ts';
import * as texts from '../../../texts/billing.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { OrderPayment } from '../payment/order-payment.tsx';
import { markPlanOrdered, reopenChoice } from '../payment/store-plan.ts';
import { useOrderInUrl } from '../payment/use-order-in-url.ts';
import { PaidPlan } from './paid-plan.tsx';
import { PurchaseForm } from './purchase-form.tsx';

/** Pays for a chosen plan. Requires a verified address; others sign in first. */
export function BillingPage() {
  useTitle(texts.billing);
  const user = useStored('currentUser');
  const userId = useSubjectId();
  return (
    <div className="stack-wide">
      <h1>{texts.billing}</h1>
      {user?.email_verified_at && userId ? (
        <Billing key={userId} userId={userId} />
      ) : (
        <NotYet isKnown={user !== null} />
      )}
    </div>
  );
}

/** The billing flag returns the person here after a verified sign-in. */
function NotYet({ isKnown }: { isKnown: boolean }) {
  const chosen = useChosenPlan();
  const hasChosen = chosen !== null;
  useEffect(() => {
    if (hasChosen) storage.write('navigateToBilling', true);
  }, [hasChosen]);
  if (isKnown) return <Navigate to={paths.resendLink} replace />;
  return (
    <section className="card">
      <h2>{texts.accountFirst}</h2>
      <p>
        {texts.planNeedsAccount} {hasChosen ? texts.choiceKept : texts.registerOrSignIn}
      </p>
      <div className="row">
        <ButtonLink to={paths.register}>{texts.register}</ButtonLink>
        <ButtonLink to={paths.login} variant="secondary">
          {texts.signIn}
        </ButtonLink>
      </div>
    </section>
  );
}

function Billing({ userId }: { userId: string }) {
  const { orderId, arrival, show } = useOrderInUrl();
  const chosen = useChosenPlan();
  if (orderId) {
    return (
      <OrderPayment
        key={orderId}
        orderId={orderId}
        userId={userId}
        arrival={arrival}
        paid={(settled) => <PaidPlan settled={settled} />}
        change={{
          label: texts.backToPlan,
          onChange: () => {
            reopenChoice();
            show(null);
          },
        }}
      />
    );
  }
  if (chosen?.order_id)
    return <Navigate to={payPath({ type: 'plan', order_id: chosen.order_id })} replace />;
  return <ChosenPlan id={chosen?.id ?? null} onOrdered={show} />;
}

interface Props {
  id: string | null;
  onOrdered: (orderId: string) => void;
}

/** Refetches the plan, because the stored copy may be old. */
function ChosenPlan({ id, onOrdered }: Props) {
  const query = useQuery(plansQuery());
  const identity = useIdentity();
  const client = useActedClient();
  function order(orderId: string): void {
    markPlanOrdered(orderId);
    onOrdered(orderId);
  }
  if (needsNoPlan(identity)) return <Elsewhere>{texts.adminNeedsNone}</Elsewhere>;
  if (!id) return <Elsewhere>{texts.noneChosen}</Elsewhere>;
  return (
    <Loading query={query}>
      {({ plans, tax }) => {
        const plan = plans.find((offered) => offered.id === id);
        if (!plan) return <Elsewhere>{texts.notOnSale}</Elsewhere>;
        if (plan.price_minor === 0) return <Elsewhere>{texts.costsNothing(plan.name)}</Elsewhere>;
        return (
          <>
            {client && <Notice tone="warning">{texts.payingFor(nameOf(client))}</Notice>}
            <PurchaseForm
              sale={{ type: 'plan', plan }}
              total={{ minor: plan.price_minor, currency: plan.currency }}
              tax={tax}
              submissions={plan.submissions}
              onOrdered={order}
            >
              <PlanSummary plan={plan} />
            </PurchaseForm>
          </>
        );
      }}
    </Loading>
  );
}

function Elsewhere({ children }: { children: ReactNode }) {
  return (
    <section className="card">
      <h2>{texts.nothingToPay}</h2>
      <p>{children}</p>
      <div className="row">
        <ButtonLink to={paths.plans}>{texts.seePlans}</ButtonLink>
        <Link to={paths.root}>{texts.continueLabel}</Link>
      </div>
    </section>
  );
}

function PlanSummary({ plan }: { plan: Plan }) {
  return (
    <section className="card" aria-labelledby="plan-title">
      <div className="spread">
        <h2 id="plan-title">{plan.name}</h2>
        <Link to={paths.plans}>{texts.chooseAnotherPlan}</Link>
      </div>
      <p>
        {texts.planTerms({
          submissions: formatNumber(plan.submissions),
          days: plan.period_days === null ? null : formatNumber(plan.period_days),
        })}
      </p>
    </section>
  );
}
