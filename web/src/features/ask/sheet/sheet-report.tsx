import type { Sheet } from '@rowmill/contract';
import { formatNumber } from '../../../lib/format.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useRevision } from '../api.ts';
import { wordsForDialect } from './dialects.ts';
import { CandidateChoice, ReadingForm } from './import-settings.tsx';
import { PreviewTable } from './preview-table.tsx';

interface Props {
  sheet: Sheet;
  onSheet: (sheet: Sheet) => void;
  onOther: () => void;
}

/** What became of the file: how it was read, what is wrong with it, how it begins; and a way to read it differently. */
export function SheetReport({ sheet, onSheet, onOther }: Props) {
  const { mutate, isPending, error } = useRevision(sheet, onSheet);
  const { name, columns, dialect, report } = sheet;
  return (
    <div className="stack">
      <div className="ask-head">
        <p role="status" className="ask-file">
          <strong className="cut" title={name}>
            {name}
          </strong>
          <span className="soft">{`${sizeOf(sheet)} · ${wordsForDialect(dialect)}`}</span>
        </p>
        <Button variant="secondary" onClick={onOther}>
          {texts.chooseOther}
        </Button>
      </div>
      {!sheet.is_sure && <CandidateChoice sheet={sheet} busy={isPending} onChoose={mutate} />}
      <ProblemList report={report} />
      {sheet.is_sure && (
        <PreviewTable label={texts.firstRows} columns={columns} rows={sheet.sample} />
      )}
      {error && <Notice tone="error">{wordsFor(error)}</Notice>}
      <details className="ask-details">
        <summary>{texts.readDifferently}</summary>
        <ReadingForm
          key={JSON.stringify(dialect)}
          dialect={dialect}
          busy={isPending}
          onRead={mutate}
        />
      </details>
    </div>
  );
}

function sizeOf({ rows, columns, blank_rows }: Sheet): string {
  const size = [
    texts.rows(rows, formatNumber(rows)),
    texts.columns(columns.length, formatNumber(columns.length)),
  ];
  if (blank_rows > 0) size.push(texts.blankRows(blank_rows, formatNumber(blank_rows)));
  return size.join(', ');
}

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
