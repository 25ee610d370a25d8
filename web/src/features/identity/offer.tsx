import { type AnswerOf, getPlans } from '@rowmill/contract';
import { useEffect, useState } from 'react';
import { useChosenPlan } from '../../entities/plan/chosen-plan.ts';
import { call } from '../../lib/api/api-client.ts';
import { formatMoney } from '../../lib/format-money.ts';
import * as texts from '../../texts/identity.ts';
import styles from './entrance.module.css';

/** What a visitor gets, before any form. */
export function Offer() {
  return (
    <section className={`stack ${styles.offer}`} aria-labelledby="offer">
      <h1 id="offer">{texts.offer}</h1>
      <p className={styles.lead}>{texts.offerLead}</p>
      <div className={styles.example} aria-hidden="true">
        <p>{texts.offerQuestion}</p>
        <dl>
          {texts.offerAnswers.map(({ name, answer }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{answer}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

export function Promises() {
  return (
    <ul className={styles.promises}>
      {texts.promises.map(({ title, text }) => (
        <li key={title}>
          <h2>{title}</h2>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
}

const compared = 100;

/**
 * The prices of the catalogue, or of the plan that a new person chose. The line is there at once,
 * so nothing moves later.
 */
export function Prices({ isNew }: { isNew: boolean }) {
  const choice = useChosenPlan();
  const [plans, setPlans] = useState<AnswerOf<typeof getPlans>['plans']>([]);
  useEffect(() => {
    let isLeft = false;
    const show = ({ plans }: AnswerOf<typeof getPlans>) => !isLeft && setPlans(plans);
    // Without prices the page is still complete; the plans page says what is wrong.
    call(getPlans, {}).then(show, () => {});
    return () => {
      isLeft = true;
    };
  }, []);
  const chosen = plans.find(({ id, price_minor }) => id === choice?.id && price_minor > 0);
  return (
    <p className={styles.prices}>
      {isNew && chosen
        ? texts.planChosen({
            plan: chosen.name,
            price: formatMoney(chosen.price_minor, chosen.currency),
          })
        : describePrices(plans)}
    </p>
  );
}

export function describePrices(
  plans: readonly Pick<
    AnswerOf<typeof getPlans>['plans'][number],
    'price_minor' | 'submissions' | 'currency'
  >[],
): string {
  const paid = plans.filter((plan) => plan.price_minor > 0 && plan.submissions > 0);
  const rates = paid.map((plan) => Math.round((plan.price_minor * compared) / plan.submissions));
  const currency = paid[0]?.currency;
  const free = plans.some((plan) => plan.price_minor === 0 && plan.submissions > 0);
  if (!currency) return free ? texts.freePlan : '';
  const from = formatMoney(Math.min(...rates), currency);
  const to = formatMoney(Math.max(...rates), currency);
  const range = from === to ? from : texts.priceRange({ from, to });
  return [free ? texts.freePlan : '', texts.priceOf({ range, submissions: compared })]
    .filter(Boolean)
    .join(' ');
}
