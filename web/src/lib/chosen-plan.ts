import { type SwitchedAs, storage, useStored } from './storage.ts';

type ChosenPlan = NonNullable<ReturnType<typeof storage.read<'selectedPlan'>>>;

/**
 * The plan that was chosen for whom this tab acts as. Tabs share the place where it is kept, so it says for whom it was chosen:
 * in a tab that acts as somebody else nothing is chosen. What a visitor chose is his who signs in.
 */
export function chosenPlan(): ChosenPlan | null {
  return onlyFor(presentSubject(), storage.read('selectedPlan'));
}

export function useChosenPlan(): ChosenPlan | null {
  return onlyFor(
    subjectOf(useStored('currentUser'), useStored('switchedAs')),
    useStored('selectedPlan'),
  );
}

export function keepChosenPlan(plan: ChosenPlan): void {
  storage.write('selectedPlan', { ...plan, user_id: presentSubject() });
}

function presentSubject(): string | undefined {
  return subjectOf(storage.read('currentUser'), storage.read('switchedAs'));
}

function subjectOf(user: { id: string } | null, switchedAs: SwitchedAs | null): string | undefined {
  return switchedAs?.user_id ?? user?.id;
}

function onlyFor(userId: string | undefined, plan: ChosenPlan | null): ChosenPlan | null {
  return plan && (plan.user_id === undefined || plan.user_id === userId) ? plan : null;
}
