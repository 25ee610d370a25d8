import { estimateFacts } from '../../../entities/batch/estimate.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/cost.ts';
import * as entityTexts from '../../../texts/entities.ts';
import { Button } from '../../../ui/button.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Step } from '../step.tsx';
import { EconomyChoice } from './economy-choice.tsx';
import { type Quote, rowsInWords, summariseQuote } from './quote.ts';
import { QuoteTable } from './quote-table.tsx';
import { ShortBalance } from './short-balance.tsx';
import type { Run } from './use-run.ts';

interface Props {
  run: Run;
  /** The most rows that are wanted. */
  limit: number | undefined;
  onRowLimit: (limit: string) => void;
  isEconomy: boolean;
  onEconomy: (isEconomy: boolean) => void;
}

/** The cost in full, and what else can be run when it is too much. */
export function CostStep({ run, ...limits }: Props) {
  const { query, quote, mayHaveStarted } = run;
  // The run bar says why.
  if (query.isError && !limits.isEconomy) return null;
  return (
    <Step title={texts.cost}>
      {query.isError ? (
        <div>
          <Button variant="secondary" onClick={() => limits.onEconomy(false)}>
            {entityTexts.runNowInstead}
          </Button>
        </div>
      ) : quote ? (
        <Cost quote={quote} mayHaveStarted={mayHaveStarted} isStale={!query.data} {...limits} />
      ) : (
        <Loading query={query}>
          {(quote) => <Cost quote={quote} mayHaveStarted={mayHaveStarted} {...limits} />}
        </Loading>
      )}
    </Step>
  );
}

interface CostProps extends Omit<Props, 'run'> {
  quote: Quote;
  mayHaveStarted: boolean;
  isStale?: boolean;
}

function Cost(props: CostProps) {
  const { quote, mayHaveStarted, isStale = false, limit, onRowLimit, ...choice } = props;
  const { missing, rowsToRun, isLimitedByMonth } = summariseQuote(quote, mayHaveStarted);
  return (
    <div className="stack" aria-busy={isStale}>
      {quote.economy && <EconomyChoice economy={quote.economy} {...choice} />}
      <QuoteTable quote={quote} />
      <EstimateLine quote={quote} />
      {rowsToRun === 0 && missing === 0 && <Notice tone="warning">{texts.nothingToRun}</Notice>}
      {missing > 0 && !quote.blocked && (
        <ShortBalance
          quote={quote}
          missing={missing}
          isLimitedByMonth={isLimitedByMonth}
          onRowLimit={onRowLimit}
        />
      )}
      {quote.paid_again && <PaidAgain {...quote.paid_again} />}
      {limit !== undefined && (
        <p>
          {texts.onlyFirstRows(limit, formatNumber(limit))}{' '}
          <Button variant="ghost" onClick={() => onRowLimit('')}>
            {texts.includeAllRows}
          </Button>
        </p>
      )}
    </div>
  );
}

/** A batch has the answers of a preview only if it has all of its rows. */
function PaidAgain({ rows, left_out: leftOut }: NonNullable<Quote['paid_again']>) {
  const facts = {
    rows: formatNumber(rows),
    isOne: rows === 1,
    leftOut: rowsInWords(leftOut, leftOut.length).toLowerCase(),
  };
  return <Notice tone="warning">{texts.triedRowsRunAgain(facts)}</Notice>;
}

/** How long the rest is likely to take, with ranges behind it. Nothing before a row was tried. */
function EstimateLine({ quote }: { quote: Quote }) {
  const { expected: submissions, tokens, seconds } = quote;
  const facts = estimateFacts({ submissions, tokens, seconds });
  if (facts.length === 0) return null;
  const ranges = facts.map(({ name, expected, range }) => ({
    name,
    value: range ?? expected,
  }));
  return (
    <Disclosure title={texts.likely(facts.map(({ expected }) => expected).join(', '))}>
      <FactList facts={ranges} />
      <p className="muted">{texts.byRowsTried}</p>
    </Disclosure>
  );
}
