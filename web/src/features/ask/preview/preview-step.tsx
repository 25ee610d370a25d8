import type { Sheet } from '@rowmill/contract';
import { useState } from 'react';
import * as texts from '../../../texts/ask.ts';
import type { AskRequest } from '../api.ts';
import { Step } from '../step.tsx';
import { PreviewAnswers } from './preview-answers.tsx';
import { RowPrompt, rowIndex } from './row-prompt.tsx';

interface Props {
  sheet: Sheet | undefined;
  prompt: string;
  variables: Readonly<Record<string, string>>;
  blockedBy: string | null;
  request: AskRequest | null;
}

/** Shows the prompt of one row for free, then answers a few rows before the batch starts. */
export function PreviewStep({ sheet, prompt, variables, blockedBy, request }: Props) {
  const [rowText, setRowText] = useState('1');
  const rows = Math.min(sheet?.rows ?? 0, request?.query?.limit ?? Number.POSITIVE_INFINITY);
  const index = rowIndex(rowText, rows);
  return (
    <Step number={3} title={texts.previewStep} blockedBy={blockedBy}>
      {sheet && (
        <RowPrompt
          sheet={sheet}
          prompt={prompt}
          variables={variables}
          rows={rows}
          index={index}
          rowText={rowText}
          onRowText={setRowText}
        />
      )}
      {request && <PreviewAnswers request={request} rows={rows} index={index} />}
    </Step>
  );
}
