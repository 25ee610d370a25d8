import { formatDay } from './dates.ts';

export const onPlan = (plan: string) => `The plan is now ${plan}.`;
export const planRuns = (plan: string, until: Date | null) =>
  until
    ? `The ${plan} plan runs until ${formatDay(until)}. You can switch to a free plan then.`
    : `The ${plan} plan does not end, so you cannot choose a free one.`;

export function planEndEmail(
  to: { first_name: string; email: string },
  plan: { name: string; endsAt: Date },
  publicUrl: string,
) {
  const day = formatDay(plan.endsAt);
  return {
    subject: `Your plan ${plan.name} ends on ${day}`,
    greeting: `Hello ${to.first_name},`,
    paragraphs: [
      `Your plan ${plan.name} ends on ${day}. It does not renew, and you will not be charged.`,
      'If you buy a plan before that day, it starts when this one ends. You keep the submissions you have left.',
    ],
    action: { label: 'Choose a plan', url: `${publicUrl}/auth/plans` },
    reason: `We sent this to ${to.email} because a plan of this account ends soon.`,
  };
}
