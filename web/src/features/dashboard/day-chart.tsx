import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/dashboard.ts';
import { Loading } from '../../ui/loading.tsx';
import styles from './day-chart.module.css';
import { type DayFigure, rowsPerDay } from './figures.ts';
import { counted, countedBatchesQuery } from './queries.ts';

const days = 14;

/** Answered and failed rows of the last days as a bar chart. */
export function DayChart() {
  const query = useQuery(countedBatchesQuery());
  return (
    <section className="card" aria-labelledby="days-title">
      <h2 id="days-title">{texts.rowsPerDay}</h2>
      <Loading query={query}>
        {({ files, total }) => (
          <figure className={styles.chart}>
            <Bars figures={rowsPerDay(files, { now: new Date(), days })} />
            <figcaption className="muted">
              {texts.countedOnLastDay}
              {total > counted && ` ${texts.lastBatchesCounted(counted)}`}
            </figcaption>
          </figure>
        )}
      </Loading>
    </section>
  );
}

function Bars({ figures }: { figures: readonly DayFigure[] }) {
  const highest = Math.max(1, ...figures.map(({ answered, failed }) => answered + failed));
  const height = (rows: number) => ({ height: `${(rows / highest) * 100}%` });
  return (
    <div className={styles.days} role="img" aria-label={describeDays(figures)}>
      {figures.map((figure) => (
        <div key={figure.day.getTime()} className={styles.day} title={describeDay(figure)}>
          <span className={styles.count}>
            {figure.answered > 0 && formatNumber(figure.answered)}
          </span>
          <span className={styles.failed} style={height(figure.failed)} />
          <span className={styles.answered} style={height(figure.answered)} />
          <span className={styles.date}>{figure.day.getDate()}</span>
        </div>
      ))}
    </div>
  );
}

function describeDays(figures: readonly DayFigure[]): string {
  const busy = figures.filter(({ answered, failed }) => answered + failed > 0);
  return busy.map(describeDay).join('; ') || texts.noRowsInDays(figures.length);
}

function describeDay({ day, answered, failed }: DayFigure): string {
  const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }).format(day);
  return texts.dayFigure({ date, answered: formatNumber(answered), failed: formatNumber(failed) });
}
