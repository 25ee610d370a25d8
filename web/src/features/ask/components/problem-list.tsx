import type { Sheet } from '@rowmill/contract';
import { formatNumber } from '../../../lib/format.ts';

const shownAtMost = 10;

/** Everything that is odd about the file, each with its line, so that it can be found and mended. */
export function ProblemList({ report: { problems, total } }: { report: Sheet['report'] }) {
  if (total === 0) return null;
  const shown = problems.slice(0, shownAtMost);
  const rest = total - shown.length;
  return (
    <div className="notice warning">
      <h3>{total === 1 ? 'One thing to look at' : `${formatNumber(total)} things to look at`}</h3>
      <ul>
        {shown.map(({ line, column, kind, message }) => (
          <li key={`${line} ${column} ${kind} ${message}`}>
            {placeOf(line, column)}
            {message}
          </li>
        ))}
        {rest > 0 && <li>and {formatNumber(rest)} more</li>}
      </ul>
    </div>
  );
}

function placeOf(line: number | null, column: string | null): string {
  const parts = [...(line === null ? [] : [`Line ${formatNumber(line)}`]), ...(column === null ? [] : [`column “${column}”`])];
  return parts.length > 0 ? `${parts.join(', ')}: ` : '';
}
