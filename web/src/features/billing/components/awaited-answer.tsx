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
    <StepSection title="Your payment is being checked">
      <p role="status">{waitingWords(looks)}</p>
      {query.isError && <p className="soft">The last question did not get through. We ask again by ourselves.</p>}
      <div className="row">
        <Button variant="secondary" busy={query.isFetching} onClick={() => void expect()}>
          Look now
        </Button>
        {onPayAnew && looks >= patience && (
          <Button variant="ghost" onClick={onPayAnew}>
            Pay in another way
          </Button>
        )}
      </div>
    </StepSection>
  );
}
