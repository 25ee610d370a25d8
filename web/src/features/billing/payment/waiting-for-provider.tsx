import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { waitingMessage } from './polling.ts';
import { StepSection } from './step-section.tsx';
import type { OrderStanding } from './use-payment-state.ts';

/** Polls after which we tell people they can leave. */
const patience = 6;

interface Props {
  standing: OrderStanding;
  onPayAnew: (() => void) | null;
}

export function WaitingForProvider({ standing: { query, looks, expect }, onPayAnew }: Props) {
  return (
    <StepSection title={texts.beingChecked}>
      <p role="status">{waitingMessage(looks)}</p>
      {query.isError && <p className="muted">{texts.questionLost}</p>}
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
