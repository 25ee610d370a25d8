import { describeTimeLeft } from '../../../entities/batch/description.ts';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { formatNumber } from '../../../lib/format.ts';
import { showsCredits, useIdentity } from '../../../lib/session.ts';
import { emptyRows, tryAgain } from '../../../texts/ask.ts';
import * as texts from '../../../texts/cost.ts';
import { waitsForConnection } from '../../../texts/ui.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-note.tsx';
import { BuyLink } from './buy-link.tsx';
import { rowsInWords, shortageInWords, summariseQuote } from './quote.ts';
import styles from './run-bar.module.css';
import type { Run } from './use-run.ts';

interface Props {
  run: Run;
  /** The first rows that run, if not the whole sheet does. */
  selected: readonly number[] | null;
  /** What is missing, or null, and the id of the text that says so. */
  blockedBy: string | null;
  blockerId: string;
}

/**
 * The cost in a line and the start button, always in view, or why it cannot start and a link to
 * buy. While a quote is fetched, the last one stays, without a start; without any, it says what is
 * missing.
 */
export function RunBar({ run, selected, blockedBy, blockerId }: Props) {
  const withBalance = showsCredits(useIdentity());
  const { quote, query, mayHaveStarted } = run;
  if (!blockedBy && query.isError)
    return (
      <section className={styles.bar} aria-label={texts.runBar}>
        <p role="alert" className={styles.problem}>
          {errorMessage(query.error)}
        </p>
        <Button variant="secondary" onClick={() => query.refetch()}>
          {tryAgain}
        </Button>
      </section>
    );
  if (blockedBy || !quote)
    return (
      <section className={styles.bar} aria-label={texts.runBar}>
        <p id={blockerId} className="muted">
          {blockedBy ?? (query.isPaused ? waitsForConnection : null)}
        </p>
        <Button disabled aria-describedby={blockerId}>
          {texts.run}
        </Button>
      </section>
    );
  const { canStart, canBuy, missing, rowsToRun, balanceAfter, isLimitedByMonth } = summariseQuote(
    quote,
    mayHaveStarted,
  );
  const nothingCovered =
    missing > 0 && rowsToRun === 0 ? shortageInWords(quote, { missing, isLimitedByMonth }) : null;
  const { blank } = quote;
  const needed = Math.max(0, quote.needed - missing);
  const shown = formatNumber(missing);
  return (
    <section className={styles.bar} aria-label={texts.runBar}>
      <ErrorNotice error={run.error} />
      <p role={mayHaveStarted ? 'status' : undefined}>
        {mayHaveStarted
          ? texts.mayHaveStarted
          : (quote.blocked ??
            nothingCovered ??
            texts.runSummary({
              rows: selected && rowsInWords(selected, quote.rows),
              needed,
              shown: formatNumber(needed),
              isPart: missing > 0 || quote.price_by_size !== null,
              skipped: blank > 0 ? emptyRows(blank, formatNumber(blank)) : null,
              balanceAfter: withBalance && missing === 0 ? formatNumber(balanceAfter) : null,
              shortage: missing > 0 ? texts.moreNeeded(shown, isLimitedByMonth) : null,
              time: quote.seconds && describeTimeLeft(quote.seconds.expected),
            }))}
      </p>
      <div className="row">
        {canBuy && <BuyLink amount={missing} />}
        <Button
          busy={run.isStarting}
          disabled={!query.data || !canStart}
          onClick={() => run.start(missing > 0)}
        >
          {rowsToRun > 0 ? texts.runRows(rowsToRun, formatNumber(rowsToRun)) : texts.run}
        </Button>
      </div>
    </section>
  );
}
