import { getPlans, type Plan, setPlan } from '@rowmill/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { formatMoney } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import { storage } from '../../../lib/storage.ts';
import { showToast } from '../../../lib/toasts.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';

export function PlansPage() {
  useTitle('Plans');
  const navigate = useNavigate();
  const query = useQuery({ queryKey: ['plans'], queryFn: () => call(getPlans, {}) });
  const choose = useMutation({
    mutationFn: take,
    onSuccess: (path) => navigate(path),
    onError: (error) => showToast('error', wordsFor(error)),
  });
  return (
    <div className="stack-wide">
      <h1>Plans</h1>
      <p className="soft">Bought for a period, with no silent renewal. One submission is used for each row that is answered.</p>
      <Loading query={query}>
        {({ plans }) => (
          <div className="two">
            {plans.map((plan) => (
              <PlanCard key={plan.id} plan={plan} busy={choose.isPending} onChoose={() => choose.mutate(plan)} />
            ))}
          </div>
        )}
      </Loading>
    </div>
  );
}

/** Somebody who is not in yet keeps his choice through registration. */
async function take(plan: Plan): Promise<string> {
  if (!storage.read('currentUser')?.email_verified_at) {
    storage.write('selectedPlan', plan);
    return paths.register;
  }
  const answer = await call(setPlan, { id: plan.id });
  storage.write('userPlan', answer.plan);
  queryClient.clear();
  return paths.dashboard;
}

function PlanCard({ plan, busy, onChoose }: { plan: Plan; busy: boolean; onChoose: () => void }) {
  const isFree = plan.price_minor === 0;
  return (
    <section className={plan.highlighted ? 'card highlighted' : 'card'}>
      <h2>{plan.name}</h2>
      <p className="number">{formatMoney(plan.price_minor, plan.currency)}</p>
      <ul>
        {plan.features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <Button busy={busy} disabled={!isFree} onClick={onChoose}>
        Choose {plan.name}
      </Button>
      {!isFree && <p className="soft">Paid plans cannot be bought online yet.</p>}
    </section>
  );
}
