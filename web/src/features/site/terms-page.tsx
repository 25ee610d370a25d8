import { settings } from '../../lib/settings.ts';
import * as texts from '../../texts/site.ts';
import { LegalText } from './legal-text.tsx';

export function TermsPage() {
  return <LegalText title={texts.terms} sections={texts.termsSections(settings().operator)} />;
}
