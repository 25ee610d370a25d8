import type { Output, Sheet } from '@rowmill/contract';
import { useState } from 'react';
import { useFormatFinding } from '../../../entities/prompt/model-select.tsx';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { AnswerCard } from '../answer-card.tsx';
import { Step } from '../step.tsx';
import styles from './preview.module.css';
import { RowPrompt } from './row-prompt.tsx';
import { type Preview, randomRows } from './use-preview.ts';

interface Props {
  sheet: Sheet;
  prompt: string;
  variables: Readonly<Record<string, string>>;
  blockedBy: string | null;
  model: string;
  outputs: readonly Output[] | undefined;
  preview: Preview;
  /** How many rows can be tried, and the index of the one that is shown. */
  rows: number;
  index: number;
  onIndex: (index: number) => void;
  /** The batch is to run over some rows of an earlier one, so any row will not do. */
  isPartOfSheet: boolean;
}

/** Shows the prompt and the answer of one row, and answers a few rows before the batch starts. */
export function PreviewStep(props: Props) {
  const { blockedBy, preview, model, outputs = [], index } = props;
  const finding = useFormatFinding(model);
  const { answers, isOutdated, tried } = preview;
  const shown = tried.get(index);
  return (
    <Step number={3} title={texts.previewStep} blockedBy={blockedBy}>
      <RowPrompt {...props} />
      {shown && (
        <AnswerCard
          title={texts.answerForRow(formatNumber(index + 1))}
          answer={shown.answer}
          problem={shown.problem}
          outputs={outputs}
        />
      )}
      <TryRows {...props} />
      {answers && (
        <p role="status">
          {texts.rowsAnswered({
            answered: answers.filter(({ problem }) => problem === null).length,
            rows: answers.length,
          })}
        </p>
      )}
      {answers && finding && outputs.length > 0 && <p className="muted">{finding}</p>}
      {isOutdated && <Notice tone="warning">{texts.previewOutOfDate}</Notice>}
    </Step>
  );
}

const maximumPreview = 5;
const usualPreview = 2;

function TryRows({ preview, rows, index, isPartOfSheet }: Props) {
  const { isPending, error } = preview;
  const maximum = Math.max(1, Math.min(maximumPreview, rows - index));
  const [chosen, setChosen] = useState(usualPreview);
  const count = Math.min(chosen, maximum);
  const choices = Array.from({ length: maximum }, (_, index) => String(index + 1));
  return (
    <div className="stack">
      <p className="muted">{texts.previewCost}</p>
      <div className={styles.controls}>
        <ChoiceField
          label={texts.rowsToTry}
          name="preview"
          value={String(count)}
          onChange={({ target }) => setChosen(Number(target.value))}
          choices={choices.map((choice) => [choice, choice])}
        />
        <Button
          variant="secondary"
          busy={isPending}
          onClick={() => preview.try(Array.from({ length: count }, (_, offset) => index + offset))}
        >
          {isPending ? texts.answering : texts.tryRows(count)}
        </Button>
        {!isPartOfSheet && rows > maximumPreview && (
          <Button
            variant="ghost"
            disabled={isPending}
            onClick={() => preview.try(randomRows(maximumPreview, rows))}
          >
            {texts.tryRandomRows(maximumPreview)}
          </Button>
        )}
      </div>
      {error && <Notice tone="error">{errorMessage(error)}</Notice>}
    </div>
  );
}
