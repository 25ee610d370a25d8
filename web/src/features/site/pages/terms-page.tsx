import { settings } from '../../../lib/settings.ts';
import { LegalText } from '../components/legal-text.tsx';

export function TermsPage() {
  const { product, company, address, email } = settings().operator;
  return (
    <LegalText
      title="Terms"
      sections={[
        ['Who we are', `${product} is offered by ${company}, ${address}. You reach us at ${email}.`],
        ['What you get', 'An account, and the processing of your prompts by a chat AI for as many rows as you have submissions.'],
        [
          'What it costs',
          'Submissions are paid in advance. One is used when a row is answered; a row that is not answered costs nothing.',
        ],
        ['Plans', 'A plan is bought for a period and does not renew by itself.'],
        ['What you must not do', 'Use the service against the law, against the rights of others, or to harm the service itself.'],
        ['Answers', 'Answers come from a chat AI and may be wrong. Check them before you rely on them.'],
        ['Ending', 'You can delete your account at any time. We can end it when these terms are broken, and say why.'],
        ['Law', 'These terms are under the law of the Isle of Man.'],
      ]}
    />
  );
}
