import { useQuery } from '@tanstack/react-query';
import { formatCompact, formatNumber } from '../../lib/format.ts';
import { locale } from '../../lib/locale.ts';
import * as texts from '../../texts/dashboard.ts';
import { StaleWhileError } from '../../ui/stale-while-error.tsx';
import styles from './day-chart.module.css';
import { startsOfDays } from './figures.ts';
import { usageQuery } from './queries.ts';

/** The submissions charged on each of the last days as a bar chart. */
export function DayChart() {
  const query = useQuery(usageQuery());
  return (
    <section className="card" aria-labelledby="days-title">
      <h2 id="days-title">{texts.chargedPerDay}</h2>
      <StaleWhileError query={query}>
        {({ charged }) => (
          <figure className={styles.chart}>
            <Bars charged={charged} />
            <figcaption className="muted">{texts.whatIsCharged}</figcaption>
          </figure>
        )}
      </StaleWhileError>
    </section>
  );
}

function Bars({ charged }: { charged: readonly number[] }) {
  const days = startsOfDays(new Date(), charged.length);
  const highest = Math.max(1, ...charged);
  const words = charged.map((submissions, index) => {
    const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
    const day = date.format(days[index]);
    return texts.dayFigure({ date: day, submissions: formatNumber(submissions) });
  });
  const label = words.filter((_, index) => charged[index]).join('; ');
  return (
    <div className={styles.days} role="img" aria-label={label || texts.noneInDays(charged.length)}>
      {charged.map((submissions, index) => (
        <div key={days[index]?.getTime()} className={styles.day} title={words[index]}>
          <span className={styles.count} data-highest={submissions === highest || undefined}>
            {submissions > 0 && formatCompact(submissions)}
          </span>
          <span className={styles.bar} style={{ ['--share' as string]: submissions / highest }} />
          <span className={styles.date}>{days[index]?.getDate()}</span>
        </div>
      ))}
    </div>
  );
}
