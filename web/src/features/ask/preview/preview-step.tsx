import type { Output, Sheet } from '@rowmill/contract';
import { useFormatFinding } from '../../../entities/prompt/model-select.tsx';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { Notice } from '../../../ui/notice.tsx';
import { AnswerCard } from '../answer-card.tsx';
import { Step } from '../step.tsx';
import { RowPrompt } from './row-prompt.tsx';
import type { Preview } from './use-preview.ts';

interface Props {
  sheet: Sheet;
  prompt: string;
  variables: Readonly<Record<string, string>>;
  model: string;
  outputs: readonly Output[] | undefined;
  preview: Preview;
  /** How many rows there are, and the index of the one that is shown. */
  rows: number;
  index: number;
  onIndex: (index: number) => void;
}

/** Shows the prompt and the answer of one row. */
export function PreviewStep(props: Props) {
  const { preview, model, outputs = [], index } = props;
  const finding = useFormatFinding(model);
  const { answers, isOutdated, tried } = preview;
  const shown = tried.get(index);
  return (
    <Step title={texts.previewStep}>
      <RowPrompt {...props} />
      {shown && (
        <AnswerCard
          title={texts.answerForRow(formatNumber(index + 1))}
          answer={shown.answer}
          problem={shown.problem}
          outputs={outputs}
        />
      )}
      {answers && finding && outputs.length > 0 && <p className="muted">{finding}</p>}
      {isOutdated && <Notice tone="warning">{texts.previewOutOfDate}</Notice>}
    </Step>
  );
}
