import { settings } from '../../lib/settings.ts';
import * as texts from '../../texts/site.ts';
import { LegalText } from './legal-text.tsx';

export function PrivacyPage() {
  return <LegalText title={texts.privacy} sections={texts.privacySections(settings().operator)} />;
}
