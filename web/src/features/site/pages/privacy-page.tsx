import { settings } from '../../../lib/settings.ts';
import { LegalText } from '../components/legal-text.tsx';

export function PrivacyPage() {
  const { company, address, email } = settings().operator;
  return (
    <LegalText
      title="Privacy"
      sections={[
        ['Who is responsible', `${company}, ${address}. Write to ${email} about anything on this page.`],
        [
          'What we keep',
          'Your name, addresses, phone and photo as you enter them; the spreadsheets that you upload, your questions and the answers; your devices while they are signed in; a record of security events.',
        ],
        [
          'What we never keep readable',
          'Passwords and the tokens of sessions and links: only values from which they cannot be found again.',
        ],
        [
          'What we do with it',
          'We run your account and your batches with it. To be answered, the prompts of your rows are sent to the chat AI, and nothing else about you. We sell nothing, and we show no advertisements.',
        ],
        [
          'Who else sees it',
          'An admin who looks after you sees your name, addresses, plan, balance and batches, and can act for you, which is recorded.',
        ],
        [
          'How long',
          'A batch with its prompts and answers until you delete it; the rest as long as you have an account. When you delete that, your name goes at once; entries of the ledger stay without it.',
        ],
        ['Your rights', 'Under Profile you can correct, export and delete what we keep.'],
      ]}
    />
  );
}
