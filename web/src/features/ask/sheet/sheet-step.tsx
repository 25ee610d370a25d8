import type { Sheet } from '@rowmill/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Step } from '../step.tsx';
import { DropZone } from './drop-zone.tsx';
import { SheetReport } from './sheet-report.tsx';
import { sampleFile, type Upload, useUpload } from './upload.ts';

interface SheetStepProps {
  /** The sheet of the draft, or null where none is chosen. */
  query: UseQueryResult<Sheet | null> | null;
  wantsSample: boolean;
  onSheet: (sheet: Sheet) => void;
  onOther: () => void;
}

export function SheetStep({ query, wantsSample, onSheet, onOther }: SheetStepProps) {
  const upload = useUpload(onSheet);
  const heading = useRef<HTMLHeadingElement>(null);
  const { state } = upload;
  useFocusAfter(state.phase, heading);
  const takeSample = useEffectEvent(() => upload.send(...sampleFile()));
  useEffect(() => {
    if (wantsSample) takeSample();
  }, [wantsSample]);
  function chooseOther() {
    onOther();
    heading.current?.focus();
  }
  return (
    <Step number={1} title={texts.sheetStep} headingRef={heading}>
      {state.phase === 'sending' && (
        <UploadDialog name={state.name} percent={state.percent} onCancel={upload.cancel} />
      )}
      {state.phase === 'checking' ? (
        <Checking name={state.name} onCancel={upload.cancel} />
      ) : query ? (
        <Loading query={query}>
          {(sheet) =>
            sheet ? (
              <SheetReport sheet={sheet} onSheet={onSheet} onOther={chooseOther} />
            ) : (
              <DropZone onFile={upload.send} />
            )
          }
        </Loading>
      ) : (
        <DropZone onFile={upload.send} />
      )}
      {state.phase === 'idle' && state.error && <Notice tone="error">{state.error}</Notice>}
    </Step>
  );
}

function Checking({ name, onCancel }: { name: string; onCancel: () => void }) {
  return (
    <div className="stack">
      <Notice>{texts.checking(name)}</Notice>
      <div className="skeleton" />
      <div>
        <Button variant="secondary" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  );
}

/** The dialog takes the focus with it when it goes, so the heading of what comes next receives it. */
function useFocusAfter(
  phase: Upload['state']['phase'],
  heading: { current: HTMLElement | null },
): void {
  const before = useRef(phase);
  useEffect(() => {
    if (before.current !== phase && phase !== 'sending') heading.current?.focus();
    before.current = phase;
  }, [phase, heading]);
}

interface UploadDialogProps {
  name: string;
  percent: number;
  onCancel: () => void;
}

/** How much of the file has left this browser. */
export function UploadDialog({ name, percent, onCancel }: UploadDialogProps) {
  const id = useId();
  return (
    <Dialog title={texts.uploading} onClose={onCancel}>
      <label htmlFor={id} className="ask-name">
        {name}
      </label>
      <progress id={id} className="ask-progress" max={100} value={percent} />
      <p aria-hidden="true">{texts.percent(percent)}</p>
      <div>
        <Button variant="secondary" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
