import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/dashboard.ts';
import { Loading } from '../../ui/loading.tsx';
import { type DayFigure, rowsPerDay } from './figures.ts';
import { counted, countedBatchesQuery } from './queries.ts';

const days = 14;

/** How many rows were answered, and how many failed, on each of the last days. */
export function DayChart() {
  const query = useQuery(countedBatchesQuery());
  return (
    <section className="card" aria-labelledby="days-title">
      <h2 id="days-title">{texts.rowsPerDay}</h2>
      <Loading query={query}>
        {({ files, total }) => (
          <figure className="days">
            <Bars figures={rowsPerDay(files, { now: new Date(), days })} />
            <figcaption className="soft">
              {texts.whenCounted}
              {total > counted && ` ${texts.lastCounted(counted)}`}
            </figcaption>
          </figure>
        )}
      </Loading>
    </section>
  );
}

function Bars({ figures }: { figures: readonly DayFigure[] }) {
  const top = Math.max(1, ...figures.map(({ answered, failed }) => answered + failed));
  const height = (rows: number) => ({ height: `${(rows / top) * 100}%` });
  return (
    <div className="days-bars" role="img" aria-label={describe(figures)}>
      {figures.map((figure) => (
        <div key={figure.day.getTime()} title={describeDay(figure)}>
          <span className="days-count">{figure.answered > 0 && formatNumber(figure.answered)}</span>
          <span className="days-failed" style={height(figure.failed)} />
          <span className="days-answered" style={height(figure.answered)} />
          <span className="days-name">{figure.day.getDate()}</span>
        </div>
      ))}
    </div>
  );
}

function describe(figures: readonly DayFigure[]): string {
  const busy = figures.filter(({ answered, failed }) => answered + failed > 0);
  if (busy.length === 0) return texts.noRowDone(figures.length);
  return busy.map(describeDay).join('; ');
}

function describeDay({ day, answered, failed }: DayFigure): string {
  const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }).format(day);
  return texts.dayFigure({ date, answered: formatNumber(answered), failed: formatNumber(failed) });
}
