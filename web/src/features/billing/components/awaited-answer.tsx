import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { waitingWords } from '../pauses.ts';
import type { OrderStanding } from '../use-order-standing.ts';
import { StepSection } from './step-section.tsx';

/** From here on nobody needs to wait for an answer that does not come. */
const patience = 6;

interface Props {
  standing: OrderStanding;
  onPayAnew: (() => void) | null;
}

export function AwaitedAnswer({ standing: { query, looks, expect }, onPayAnew }: Props) {
  return (
    <StepSection title={texts.beingChecked}>
      <p role="status">{waitingWords(looks)}</p>
      {query.isError && <p className="soft">{texts.questionLost}</p>}
      <div className="row">
        <Button variant="secondary" busy={query.isFetching} onClick={() => void expect()}>
          {texts.lookNow}
        </Button>
        {onPayAnew && looks >= patience && (
          <Button variant="ghost" onClick={onPayAnew}>
            {texts.payAnew}
          </Button>
        )}
      </div>
    </StepSection>
  );
}
