import { type AnswerOf, getOverview } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { paths, personPath } from '../../lib/paths.ts';
import * as texts from '../../texts/dashboard.ts';
import { StaleWhileError } from '../../ui/stale-while-error.tsx';
import styles from './dashboard.module.css';
import { Figure, FigureCard } from './figure-card.tsx';
import { formatShare, successRate } from './figures.ts';

type Overview = AnswerOf<typeof getOverview>;

const pollMilliseconds = 15_000;

/** An operator's first view: what needs attention, then the figures of a day. */
export function InstallationOverview() {
  const query = useQuery({ ...queryOf(getOverview, {}), refetchInterval: pollMilliseconds });
  return (
    <StaleWhileError query={query}>
      {(overview) => (
        <>
          <Attention matters={mattersOf(overview)} />
          <Figures overview={overview} />
        </>
      )}
    </StaleWhileError>
  );
}

function Figures({ overview: { batches, rows, received, new_people } }: { overview: Overview }) {
  const rate = successRate(rows);
  const money = received.map(({ amount_minor, currency }) => formatMoney(amount_minor, currency));
  return (
    <div className={styles.figures}>
      <FigureCard title={texts.runningNow}>
        <Figure value={formatNumber(batches.running)} note={texts.batchesOfAll} />
      </FigureCard>
      <FigureCard title={texts.failureRate}>
        <Figure
          value={rate === null ? '–' : formatShare(1 - rate)}
          note={texts.rowsOfADay(formatNumber(rows.answered + rows.failed))}
        />
      </FigureCard>
      <FigureCard title={texts.received}>
        <Figure value={money.join(', ') || '–'} note={texts.lessRefunds} />
      </FigureCard>
      <FigureCard title={texts.newPeople}>
        <Figure value={formatNumber(new_people)} note={texts.inADay} />
      </FigureCard>
    </div>
  );
}

interface Matter {
  text: string;
  /** Absent when only the server's settings help. */
  to?: string;
}

function mattersOf(overview: Overview): Matter[] {
  const { reviews, disputes, disputed, frozen_accounts, batches, failed_over, throttled } =
    overview;
  const link = (view: string) => `${paths.operator}?view=${view}`;
  return [
    ...(overview.files_problem ? [{ text: texts.filesMissing(overview.files_problem) }] : []),
    ...(overview.worker_missing ? [{ text: texts.workerMissing }] : []),
    ...(reviews > 0 ? [{ text: texts.reviewsWait(reviews), to: link('reviews') }] : []),
    ...disputed.map(({ ref, user_id, name, amount_minor, currency }) => ({
      text: texts.paymentDisputed({ name, amount: formatMoney(amount_minor, currency), ref }),
      to: personPath(user_id),
    })),
    ...(disputes > disputed.length
      ? [{ text: texts.moreDisputed(formatNumber(disputes - disputed.length)) }]
      : []),
    ...(frozen_accounts > 0
      ? [{ text: texts.accountsFrozen(frozen_accounts), to: link('ledger') }]
      : []),
    ...(batches.stuck > 0
      ? [{ text: texts.batchesStuck(batches.stuck), to: paths.providers }]
      : []),
    ...(overview.emails_wait ? [{ text: texts.emailsWait }] : []),
    ...failed_over.map((failed) => ({
      text: texts.modelFailedOver(failed),
      to: paths.providers,
    })),
    ...throttled.map(({ model, until }) => ({
      text: texts.modelThrottled({ model, until: formatTime(until) }),
      to: paths.providers,
    })),
  ];
}

function Attention({ matters }: { matters: readonly Matter[] }) {
  return (
    <section className="card" aria-labelledby="attention-title">
      <h2 id="attention-title">{texts.needsYou}</h2>
      {matters.length === 0 ? (
        <p className={styles.matter}>
          <CircleCheck aria-hidden size={16} className={styles.fine} />
          {texts.nothingNeedsYou}
        </p>
      ) : (
        <ul className="plain">
          {matters.map(({ text, to }) => (
            <li key={text} className={styles.matter}>
              <TriangleAlert aria-hidden size={16} className={styles.alarm} />
              {to ? <Link to={to}>{text}</Link> : text}
            </li>
          ))}
        </ul>
      )}
      <Link to={paths.operator} className={styles.link}>
        {texts.toOperator}
      </Link>
    </section>
  );
}
