import type { Sheet } from '@rowmill/contract';
import { formatNumber } from '../../../lib/format.ts';
import { wordsFor } from '../../../lib/refusal.ts';
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
  const { name, rows, columns, dialect, blank_rows, report } = sheet;
  return (
    <div className="stack">
      <div className="ask-head">
        <p role="status" className="ask-file">
          <strong className="cut" title={name}>
            {name}
          </strong>
          <span className="soft">
            {counted(rows, 'row')}, {counted(columns.length, 'column')}
            {blank_rows > 0 && `, ${counted(blank_rows, 'blank row')}`} · {wordsForDialect(dialect)}
          </span>
        </p>
        <Button variant="secondary" onClick={onOther}>
          Choose another file
        </Button>
      </div>
      {!sheet.is_sure && <CandidateChoice sheet={sheet} busy={isPending} onChoose={mutate} />}
      <ProblemList report={report} />
      {sheet.is_sure && <PreviewTable label="First rows of the sheet" columns={columns} rows={sheet.sample} />}
      {error && <Notice tone="error">{wordsFor(error)}</Notice>}
      <details className="ask-details">
        <summary>Read it differently</summary>
        <ReadingForm key={JSON.stringify(dialect)} dialect={dialect} busy={isPending} onRead={mutate} />
      </details>
    </div>
  );
}

function counted(number: number, word: string): string {
  return `${formatNumber(number)} ${word}${number === 1 ? '' : 's'}`;
}
