import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { waitingMessage } from './polling.ts';
import { StepSection } from './step-section.tsx';
import type { PaymentState } from './use-payment-state.ts';

/** Polls after which we tell people they can leave. */
const patience = 6;

interface Props {
  payment: PaymentState;
  onPayAnotherWay: (() => void) | null;
}

export function WaitingForProvider({ payment: { query, polls, expect }, onPayAnotherWay }: Props) {
  return (
    <StepSection title={texts.beingChecked}>
      <p role="status">{waitingMessage(polls)}</p>
      {query.isError && <p className="muted">{texts.connectionProblem}</p>}
      <div className="row">
        <Button variant="secondary" busy={query.isFetching} onClick={() => void expect()}>
          {texts.checkAgain}
        </Button>
        {onPayAnotherWay && polls >= patience && (
          <Button variant="ghost" onClick={onPayAnotherWay}>
            {texts.payAnotherWay}
          </Button>
        )}
      </div>
    </StepSection>
  );
}
