import type { Sheet } from '@rowmill/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/ask.ts';
import { sheetIsGone } from '../../../texts/sheets.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Step } from '../step.tsx';
import { DropZone } from './drop-zone.tsx';
import styles from './sheet.module.css';
import { SheetReport } from './sheet-report.tsx';
import { sampleFile, type Upload } from './upload.ts';
import { useFileDrop } from './use-file-drop.ts';

interface Props {
  /** The sheet of the draft, or null when none is chosen. */
  query: UseQueryResult<Sheet | null> | null;
  wantsSample: boolean;
  /** Another file is being chosen. */
  isChoosing: boolean;
  onChoosing: (isChoosing: boolean) => void;
  upload: Upload;
  onSheet: (sheet: Sheet) => void;
  /** It ran before. */
  isKnown: boolean;
  /** Shows the rows of the sheet. */
  children: ReactNode;
}

export function SheetStep(props: Props) {
  const { query, wantsSample, isChoosing, onChoosing, upload, onSheet, isKnown, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const { state } = upload;
  const isOver = useFileDrop(([file, ...others]) => {
    if (!file || state.phase !== 'idle') return;
    if (others.length > 0) showToast('info', texts.oneSheetAtATime(file.name));
    if (query?.data) choose(true);
    upload.start(file, file.name);
  });
  const problem = state.phase === 'idle' ? state.error : null;
  const dropZone = <DropZone problem={problem} isOver={isOver} onFile={upload.start} />;
  useFocusOnPhaseChange(state.phase, heading);
  const uploadSample = useEffectEvent(() => upload.start(...sampleFile()));
  useEffect(() => {
    if (wantsSample) uploadSample();
  }, [wantsSample]);
  function choose(isChoosing: boolean) {
    onChoosing(isChoosing);
    heading.current?.focus();
  }
  return (
    <Step
      title={texts.sheetStep}
      hasHiddenTitle
      headingRef={heading}
      className={!query?.data ? 'card' : isChoosing ? styles.choosing : styles.report}
    >
      {state.phase === 'sending' && (
        <UploadDialog name={state.name} percent={state.percent} onCancel={upload.cancel} />
      )}
      {state.phase === 'reading' ? (
        <ReadingFile name={state.name} onCancel={upload.cancel} />
      ) : query ? (
        <Loading query={query}>
          {(sheet) =>
            sheet && !isChoosing ? (
              <SheetReport
                sheet={sheet}
                onSheet={onSheet}
                onReplace={() => choose(true)}
                isKnown={isKnown}
              >
                {children}
              </SheetReport>
            ) : (
              <>
                {sheet ? (
                  <div>
                    <Button variant="secondary" onClick={() => choose(false)}>
                      {texts.keepThisSheet(sheet.name)}
                    </Button>
                  </div>
                ) : (
                  <Notice tone="warning">{sheetIsGone}</Notice>
                )}
                {dropZone}
              </>
            )
          }
        </Loading>
      ) : (
        dropZone
      )}
    </Step>
  );
}

interface UploadDialogProps {
  name: string;
  percent: number;
  onCancel: () => void;
}

function UploadDialog({ name, percent, onCancel }: UploadDialogProps) {
  const id = useId();
  return (
    <Dialog title={texts.uploading} onClose={onCancel}>
      <label htmlFor={id} className={styles.fileName}>
        {name}
      </label>
      <progress id={id} className={styles.progress} max={100} value={percent} />
      <p aria-hidden="true">{texts.percent(percent)}</p>
      <div>
        <Button variant="secondary" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}

function ReadingFile({ name, onCancel }: { name: string; onCancel: () => void }) {
  return (
    <div className="stack">
      <Notice>{texts.readingFile(name)}</Notice>
      <div className="skeleton" />
      <div>
        <Button variant="secondary" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  );
}

/** A dialog that is removed takes the focus with it, so the step's heading receives it. */
function useFocusOnPhaseChange(
  phase: Upload['state']['phase'],
  heading: { current: HTMLElement | null },
): void {
  const before = useRef(phase);
  useEffect(() => {
    if (before.current !== phase && phase !== 'sending') heading.current?.focus();
    before.current = phase;
  }, [phase, heading]);
}
