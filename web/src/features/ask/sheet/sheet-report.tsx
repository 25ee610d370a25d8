import type { Sheet } from '@rowmill/contract';
import type { ReactNode } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { rowCount } from '../../../texts/entities.ts';
import { Button } from '../../../ui/button.tsx';
import { CutName } from '../../../ui/cut-name.tsx';
import { ErrorNotice } from '../../../ui/error-note.tsx';
import { useImportSettings } from '../api.ts';
import { describeSource } from './dialects.ts';
import { ImportControls } from './import-settings.tsx';
import { IssueList } from './issue-list.tsx';
import { ReadingChoice } from './reading-choice.tsx';
import styles from './sheet.module.css';

interface Props {
  sheet: Sheet;
  onSheet: (sheet: Sheet) => void;
  onReplace: () => void;
  /** It ran before. */
  isKnown: boolean;
  /** The rows of the sheet. */
  children: ReactNode;
}

/** How a file was read: its size, issues and first rows, with the import settings to correct it. */
export function SheetReport({ sheet, onSheet, onReplace, isKnown, children }: Props) {
  const { mutate, isPending, error } = useImportSettings(sheet, onSheet);
  const { name } = sheet;
  return (
    <>
      <div className={styles.head}>
        <p role="status" className={styles.file}>
          <strong>
            <CutName name={name} />
          </strong>
          <span className={`muted ${styles.size}`}>
            {`${describeSize(sheet)} · ${describeSource(sheet)}`}
          </span>
        </p>
        <Button variant="secondary" onClick={onReplace}>
          {texts.changeFile}
        </Button>
        <ImportControls sheet={sheet} busy={isPending} onApply={mutate} />
      </div>
      <div className={styles.notes}>
        {!sheet.is_sure && <ReadingChoice sheet={sheet} busy={isPending} onChoose={mutate} />}
        <IssueList sheet={sheet} busy={isPending} onApply={mutate} isKnown={isKnown} />
        <ErrorNotice error={error} />
      </div>
      {sheet.is_sure && sheet.rows > 0 && children}
    </>
  );
}

function describeSize({ rows, columns, blank_rows }: Sheet): string {
  const size = [
    rowCount(formatNumber(rows)),
    texts.columns(columns.length, formatNumber(columns.length)),
  ];
  if (blank_rows > 0) size.push(texts.emptyRows(blank_rows, formatNumber(blank_rows)));
  return size.join(', ');
}
