import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-note.tsx';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import styles from './preview.module.css';
import { maximumPreview, type Preview, randomRows } from './use-preview.ts';

interface Props {
  preview: Preview;
  /** The id of what says why nothing can be tried yet, or null. */
  blockedBy: string | null;
  /** The rows to try next. */
  upcoming: readonly number[];
  /** How many rows there are to choose from; null when only some rows of the sheet run. */
  rows: number | null;
  onTry: (rows: readonly number[]) => void;
  /** Shows a row and its answer. */
  onRow: (row: number) => void;
}

const usualPreview = 2;
const mostListed = 10;

/** Answers a few rows before the batch starts. */
export function TryRows({ preview, blockedBy, upcoming, rows, onTry, onRow }: Props) {
  const { isPending, error, answers = [], tried } = preview;
  const maximum = Math.max(1, upcoming.length);
  const [chosen, setChosen] = useState(usualPreview);
  const count = Math.min(chosen, maximum);
  const choices = Array.from({ length: maximum }, (_, index) => String(index + 1));
  /** The latest first: they may be anywhere in the sheet. */
  const shown = [...new Set([...answers.map(({ row }) => row), ...tried.keys()])];
  const waits = { disabled: !!blockedBy, 'aria-describedby': blockedBy ?? undefined };
  return (
    <div className={styles.try}>
      <div className={styles.controls}>
        <div className={styles.count}>
          <ChoiceField
            label={texts.rowsToTry}
            hasHiddenLabel
            name="preview"
            value={String(count)}
            onChange={({ target }) => setChosen(Number(target.value))}
            choices={choices.map((choice) => [choice, choice])}
          />
        </div>
        <Button
          {...waits}
          variant="secondary"
          busy={isPending}
          onClick={() => onTry(upcoming.slice(0, count))}
        >
          {isPending ? texts.answering : texts.tryRows(count)}
        </Button>
        {rows !== null && rows > maximumPreview && (
          <Button
            {...waits}
            variant="ghost"
            disabled={waits.disabled || isPending}
            onClick={() => onTry(randomRows(maximumPreview, rows))}
          >
            {texts.tryRandomRows(maximumPreview)}
          </Button>
        )}
      </div>
      <p className="muted">{texts.previewCost(formatNumber((upcoming[0] ?? 0) + 1))}</p>
      {answers.length > 0 && (
        <p role="status">
          {texts.rowsAnswered({
            answered: answers.filter(({ problem }) => problem === null).length,
            rows: answers.length,
          })}
        </p>
      )}
      {shown.length > 0 && (
        <div className={styles.answered}>
          {texts.triedRows}
          {shown.slice(0, mostListed).map((row) => (
            <Button
              key={row}
              variant="secondary"
              aria-label={texts.answerForRow(formatNumber(row + 1))}
              onClick={() => onRow(row)}
            >
              {formatNumber(row + 1)}
            </Button>
          ))}
        </div>
      )}
      <ErrorNotice error={error} />
    </div>
  );
}
