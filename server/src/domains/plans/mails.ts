import type { MailContent } from '../notifications/mails.ts';

interface Person {
  first_name: string;
  email: string;
}

export function planEnds(
  person: Person,
  plan: { name: string; endsAt: Date },
  publicUrl: string,
): MailContent {
  const day = plan.endsAt.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return {
    subject: `Your plan ${plan.name} ends on ${day}`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      `your plan ${plan.name} ends on ${day}. It does not renew itself, and nothing is charged.`,
      'If you choose a plan before that day, it begins when the present one ends. Submissions that you have left stay yours.',
    ],
    action: { label: 'Choose a plan', url: `${publicUrl}/auth/plans` },
    reason: `This mail goes to ${person.email} because a plan of this account ends soon.`,
  };
}
