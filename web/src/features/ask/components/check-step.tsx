import type { Sheet } from '@rowmill/contract';
import { useState } from 'react';
import * as texts from '../../../texts/ask.ts';
import type { AskRequest } from '../api.ts';
import { rowIndex } from '../row-number.ts';
import { PreviewSection } from './preview-section.tsx';
import { RowPrompt } from './row-prompt.tsx';
import { Step } from './step.tsx';

interface Props {
  userId: string;
  sheet: Sheet | undefined;
  question: string;
  variables: Readonly<Record<string, string>>;
  waitsFor: string | null;
  request: AskRequest | null;
}

/** What will be asked, seen before it costs anything; then some answers, before it costs much. */
export function CheckStep({ userId, sheet, question, variables, waitsFor, request }: Props) {
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
      {request && <PreviewSection {...{ userId, request, rows, index }} />}
    </Step>
  );
}
