import { creditsPath } from '../../../lib/paths.ts';
import * as texts from '../../../texts/cost.ts';
import { ButtonLink } from '../../../ui/button.tsx';

export function BuyLink({ amount }: { amount: number }) {
  return (
    <ButtonLink to={creditsPath({ amount })} variant="secondary">
      {texts.buyCredits}
    </ButtonLink>
  );
}
