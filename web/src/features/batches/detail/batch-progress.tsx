import type { Batch } from '@rowmill/contract';
import {
  describeRate,
  describeTimeLeft,
  describeTokens,
  percentDone,
  waitingRows,
} from '../../../entities/batch/description.ts';
import { type Estimates, estimateFacts } from '../../../entities/batch/estimate.ts';
import { formatNumber, formatTime } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches/batch.ts';
import { economyBy } from '../../../texts/entities.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import styles from './batch-detail.module.css';
import { RateChart, useRates } from './rate-chart.tsx';

/** The figures of a batch in one line: live ones until it ends, then those of its receipt. */
export function BatchProgress({ batch }: { batch: Batch }) {
  const { rows, answered, failed, skipped, receipt } = batch;
  return (
    <div className={styles.figures}>
      <span>
        {!receipt && (
          <>
            <strong>{texts.percent(percentDone(batch))}</strong>
            {texts.separator}
          </>
        )}
        <strong>{formatNumber(answered)}</strong> {texts.ofRows(rows, formatNumber(rows))}
      </span>
      {failed > 0 && (
        <strong className={styles.failed}>{texts.countOf.failed(formatNumber(failed))}</strong>
      )}
      {skipped > 0 && <span>{texts.countOf.skipped(formatNumber(skipped))}</span>}
      {batch.tokens && (
        <span title={describeTokens(batch.tokens)}>
          {texts.countOf.tokens(formatNumber(batch.tokens.input + batch.tokens.output))}
        </span>
      )}
      {batch.finish_by && <span>{economyBy(formatTime(batch.finish_by))}</span>}
      {receipt ? <EndFigures batch={batch} receipt={receipt} /> : <LiveFigures batch={batch} />}
    </div>
  );
}

function LiveFigures({ batch }: { batch: Batch }) {
  return (
    <>
      {batch.state === 'running' && <Speed batch={batch} />}
      <span className={styles.money}>
        {texts.countOf.charged(formatNumber(batch.charged))}
        {texts.separator}
        {texts.countOf.reserved(formatNumber(batch.held))}
      </span>
    </>
  );
}

/** The time left, and the rate with its course behind it. */
function Speed({ batch }: { batch: Batch }) {
  const { rows_per_minute: rate, seconds_left: left, covered } = batch;
  const rates = useRates(rate);
  return (
    <>
      {left !== null && (
        <span>{(covered === null ? texts.timeLeft : texts.untilOut)(describeTimeLeft(left))}</span>
      )}
      <div className={styles.speed}>
        <Disclosure floats title={rate === null ? texts.measuringSpeed : describeRate(rate)}>
          <div className={styles.chartBox}>
            <RateChart rates={rates} />
          </div>
        </Disclosure>
      </div>
    </>
  );
}

interface EndProps {
  batch: Batch;
  receipt: NonNullable<Batch['receipt']>;
}

function EndFigures({ batch, receipt }: EndProps) {
  const notRun = waitingRows(batch);
  const duration = describeDuration(batch);
  return (
    <>
      {notRun > 0 && <span>{texts.countOf.notRun(formatNumber(notRun))}</span>}
      <span>{texts.countOf.charged(formatNumber(receipt.charged))}</span>
      {receipt.returned > 0 && (
        <span>{texts.countOf.released(formatNumber(receipt.returned))}</span>
      )}
      <EstimateCompared batch={batch} duration={duration} />
      <span className={styles.money}>
        {duration && `${texts.took(duration)}${texts.separator}`}
        {batch.ended_at && formatTime(batch.ended_at)}
      </span>
    </>
  );
}

/** How long the run took, in the unit that fits. */
function describeDuration({ run_seconds }: Pick<Batch, 'run_seconds'>): string | null {
  if (run_seconds === null) return null;
  const seconds = Math.max(1, run_seconds);
  if (seconds < 90) return texts.seconds(seconds);
  if (seconds < 5_400) return texts.minutes(Math.round(seconds / 60));
  return texts.hours(formatNumber(Math.round(seconds / 360) / 10));
}

interface Props {
  batch: Batch;
  /** How long the run took. */
  duration: string | null;
}

/** What was estimated when the batch started, beside what it took. Only of a run to the end. */
function EstimateCompared({ batch, duration }: Props) {
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
      <Disclosure floats title={texts.estimateCompared}>
        <div className={styles.chartBox}>
          <FactList facts={facts} />
        </div>
      </Disclosure>
    </div>
  );
}
