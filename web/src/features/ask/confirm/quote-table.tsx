import { formatNumber } from '../../../lib/format.ts';
import { showsCredits, useIdentity } from '../../../lib/session.ts';
import * as texts from '../../../texts/cost.ts';
import { type Quote, summariseQuote } from './quote.ts';
import styles from './quote-table.module.css';

interface Figure {
  label: string;
  hint?: string;
  value: number;
}

/** What a batch costs. The Admin view shows no balance. */
export function QuoteTable({ quote }: { quote: Quote }) {
  const { balanceAfter, missing } = summariseQuote(quote);
  const withBalance = showsCredits(useIdentity());
  const needed = formatNumber(quote.needed);
  return (
    <>
      <p className="sr-only" role="status">
        {withBalance
          ? texts.neededAndAvailable({ needed, available: formatNumber(quote.available) })
          : texts.neededOnly(needed)}
      </p>
      <table className={styles.quote}>
        <tbody>
          {figuresOf(quote, withBalance).map(({ label, hint, value }) => (
            <tr key={label}>
              <th scope="row">
                {label}
                {hint && <span className={styles.hint}>{hint}</span>}
              </th>
              <td>{formatNumber(value)}</td>
            </tr>
          ))}
          {withBalance && missing === 0 && (
            <tr className={styles.total}>
              <th scope="row">{texts.balanceAfter}</th>
              <td>{formatNumber(balanceAfter)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </>
  );
}

/** Exceptions are listed only when there are any. */
function figuresOf(quote: Quote, withBalance: boolean): Figure[] {
  const { rows, blank, too_long, incomplete, duplicates, answered } = quote;
  const { needed, available, monthly, price_by_size } = quote;
  const exceptions = [
    { ...texts.emptyPrompts, value: blank },
    { ...texts.tooLongPrompts, value: too_long },
    { ...texts.incompleteRows, value: incomplete },
    { ...texts.duplicates, value: duplicates },
    { ...texts.alreadyAnswered, value: answered },
  ];
  return [
    { ...texts.quotedRows, value: rows },
    ...exceptions.filter(({ value }) => value > 0),
    { ...(price_by_size ? texts.reserved : texts.needed), value: needed },
    ...(withBalance ? [{ ...texts.available, value: available }] : []),
    ...(withBalance && monthly ? [{ ...texts.leftThisMonth, value: monthly.left }] : []),
  ];
}
