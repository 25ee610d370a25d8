import type { Sheet } from '@rowmill/contract';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';

const shownAtMost = 10;

/** Everything that is odd about the file, each with its line, so that it can be found and mended. */
export function ProblemList({ report: { problems, total } }: { report: Sheet['report'] }) {
  if (total === 0) return null;
  const shown = problems.slice(0, shownAtMost);
  const rest = total - shown.length;
  return (
    <div className="notice warning">
      <h3>{total === 1 ? texts.oneProblem : texts.problems(formatNumber(total))}</h3>
      <ul>
        {shown.map(({ line, column, kind, message }) => (
          <li key={`${line} ${column} ${kind} ${message}`}>
            {placeOf(line, column)}
            {message}
          </li>
        ))}
        {rest > 0 && <li>{texts.moreProblems(formatNumber(rest))}</li>}
      </ul>
    </div>
  );
}

function placeOf(line: number | null, column: string | null): string {
  const parts = [
    ...(line === null ? [] : [texts.problemLine(formatNumber(line))]),
    ...(column === null ? [] : [texts.problemColumn(column)]),
  ];
  return parts.length > 0 ? texts.problemAt(parts.join(', ')) : '';
}
