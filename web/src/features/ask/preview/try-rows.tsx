import { useState } from 'react';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './preview.module.css';
import { type Preview, randomRows } from './use-preview.ts';

interface Props {
  preview: Preview;
  /** The id of what says why nothing can be tried yet, or null. */
  blockedBy: string | null;
  /** How many rows can be tried, and the index of the first one. */
  rows: number;
  index: number;
  /** The batch is to run over some rows of an earlier one, so any row will not do. */
  isPartOfSheet: boolean;
}

const maximumPreview = 5;
const usualPreview = 2;

/** Answers a few rows before the batch starts. */
export function TryRows({ preview, blockedBy, rows, index, isPartOfSheet }: Props) {
  const { isPending, error, answers } = preview;
  const maximum = Math.max(1, Math.min(maximumPreview, rows - index));
  const [chosen, setChosen] = useState(usualPreview);
  const count = Math.min(chosen, maximum);
  const choices = Array.from({ length: maximum }, (_, index) => String(index + 1));
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
          onClick={() => preview.try(Array.from({ length: count }, (_, offset) => index + offset))}
        >
          {isPending ? texts.answering : texts.tryRows(count)}
        </Button>
        {!isPartOfSheet && rows > maximumPreview && (
          <Button
            {...waits}
            variant="ghost"
            disabled={waits.disabled || isPending}
            onClick={() => preview.try(randomRows(maximumPreview, rows))}
          >
            {texts.tryRandomRows(maximumPreview)}
          </Button>
        )}
      </div>
      <p className="muted">{texts.previewCost(formatNumber(index + 1))}</p>
      {answers && (
        <p role="status">
          {texts.rowsAnswered({
            answered: answers.filter(({ problem }) => problem === null).length,
            rows: answers.length,
          })}
        </p>
      )}
      {error && <Notice tone="error">{errorMessage(error)}</Notice>}
    </div>
  );
}
