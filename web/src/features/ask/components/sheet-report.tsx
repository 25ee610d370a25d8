import type { Sheet } from '@rowmill/contract';
import { formatNumber } from '../../../lib/format.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useRevision } from '../api.ts';
import { wordsForDialect } from '../dialects.ts';
import { CandidateChoice } from './candidate-choice.tsx';
import { PreviewTable } from './preview-table.tsx';
import { ProblemList } from './problem-list.tsx';
import { ReadingForm } from './reading-form.tsx';

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
