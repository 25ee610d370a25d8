import type { Sheet } from '@rowmill/contract';
import { useState } from 'react';
import * as texts from '../../../texts/ask.ts';
import type { AskRequest } from '../api.ts';
import { Step } from '../step.tsx';
import { PreviewSection } from './preview-answers.tsx';
import { RowPrompt, rowIndex } from './row-prompt.tsx';

interface Props {
  sheet: Sheet | undefined;
  question: string;
  variables: Readonly<Record<string, string>>;
  waitsFor: string | null;
  request: AskRequest | null;
}

/** What will be asked, seen before it costs anything; then some answers, before it costs much. */
export function CheckStep({ sheet, question, variables, waitsFor, request }: Props) {
  const [rowText, setRowText] = useState('1');
  const rows = Math.min(sheet?.rows ?? 0, request?.query?.limit ?? Number.POSITIVE_INFINITY);
  const index = rowIndex(rowText, rows);
  return (
    <Step number={3} title={texts.checkStep} waitsFor={waitsFor}>
      {sheet && (
        <RowPrompt
          {...{ sheet, question, variables, rows, index }}
          text={rowText}
          onText={setRowText}
        />
      )}
      {request && <PreviewSection {...{ request, rows, index }} />}
    </Step>
  );
}
