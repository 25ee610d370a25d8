import type { Batch } from '@rowmill/contract';
import { type Estimates, estimateFacts } from '../../../entities/batch/estimate.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import styles from './batch-detail.module.css';

interface Props {
  batch: Batch;
  /** How long the run took. */
  duration: string | null;
}

/** What was estimated when the batch started, beside what it took. Only of a run to the end. */
export function EstimateCompared({ batch, duration }: Props) {
  const { charged, estimate, state, tokens } = batch;
  if (!estimate || state !== 'completed') return null;
  const taken: Record<keyof Estimates, string | null> = {
    seconds: duration,
    tokens: tokens && formatNumber(tokens.input + tokens.output),
    submissions: formatNumber(charged),
  };
  const facts = estimateFacts(estimate).map(({ what, name, expected, range }) => ({
    name,
    value: texts.takenAndEstimated({ taken: taken[what] ?? texts.unknownAmount, expected, range }),
  }));
  return (
    <div className={styles.speed}>
      <Disclosure title={texts.estimateCompared}>
        <div className={styles.chartBox}>
          <FactList facts={facts} />
        </div>
      </Disclosure>
    </div>
  );
}
