import { subjectId, useSubjectId } from '../../lib/session.ts';
import { storage, useStored } from '../../lib/storage.ts';

type ChosenPlan = NonNullable<ReturnType<typeof storage.read<'selectedPlan'>>>;

/**
 * The plan chosen for the person this tab acts for. Tabs share the storage, so the plan is stored
 * with that person: a tab that acts for another one has no choice. A visitor's choice belongs to
 * the person who then signs in.
 */
export function chosenPlan(): ChosenPlan | null {
  return onlyFor(subjectId(), storage.read('selectedPlan'));
}

export function useChosenPlan(): ChosenPlan | null {
  return onlyFor(useSubjectId(), useStored('selectedPlan'));
}

export function saveChosenPlan(plan: ChosenPlan): void {
  storage.write('selectedPlan', { ...plan, user_id: subjectId() ?? undefined });
}

function onlyFor(userId: string | null, plan: ChosenPlan | null): ChosenPlan | null {
  return plan && (plan.user_id === undefined || plan.user_id === userId) ? plan : null;
}
