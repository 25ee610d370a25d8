export const onPlan = (plan: string) => `You are now on the plan ${plan}.`;
export const planRuns = (plan: string, until: string | null) =>
  `Your plan ${plan} runs until ${until}.`;

export function planEndEmail(
  to: { first_name: string; email: string },
  plan: { name: string; endsAt: Date },
  publicUrl: string,
) {
  const day = plan.endsAt.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
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
