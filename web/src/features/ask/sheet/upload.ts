import { listFiles, type Sheet, saveFile } from '@rowmill/contract';
import { useEffect, useRef, useState } from 'react';
import { invalidate } from '../../../lib/api/query.ts';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { upload } from '../../../lib/api/upload.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useIsOpen } from '../../../lib/hooks/use-is-open.ts';
import { subjectId } from '../../../lib/session.ts';
import { settings } from '../../../lib/settings.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/ask.ts';

/** After the last byte is sent, the server still has to read the file. */
type State =
  | { phase: 'idle'; error: string | null }
  | { phase: 'sending'; name: string; percent: number }
  | { phase: 'reading'; name: string };

export type Upload = ReturnType<typeof useUpload>;

function useUpload(onSheet: (sheet: Sheet) => void) {
  const [state, setState] = useState<State>({ phase: 'idle', error: null });
  const controller = useRef<AbortController | null>(null);
  const isSending = useRef(false);
  const isOpen = useIsOpen();
  // Leaving the page or acting for another client cancels what is still being sent. A file that has
  // arrived is read and stored.
  useEffect(() => () => void (isSending.current && controller.current?.abort()), []);

  async function send(file: Blob, name: string, delimiter?: '\t'): Promise<void> {
    const problem = uploadProblem({ name, size: file.size }, settings().limits.upload_bytes);
    if (problem) return setState({ phase: 'idle', error: problem });
    controller.current = new AbortController();
    const { signal } = controller.current;
    const owner = subjectId();
    setState({ phase: 'sending', name, percent: 0 });
    isSending.current = true;
    const onProgress = (percent: number) => {
      isSending.current = percent < 100;
      setState(percent < 100 ? { phase: 'sending', name, percent } : { phase: 'reading', name });
    };
    try {
      const answer = await upload(saveFile, {
        file,
        name,
        fields: { delimiter },
        onProgress,
        signal,
      });
      setState({ phase: 'idle', error: null });
      if (isOpen()) onSheet(answer.file);
      else if (subjectId() === owner) showStored(name);
    } catch (error) {
      if (signal.aborted || subjectId() !== owner) return setState({ phase: 'idle', error: null });
      showToast('error', errorMessage(error));
      setState({ phase: 'idle', error: errorMessage(error) });
    }
  }

  return {
    state,
    start: (file: Blob, name: string, delimiter?: '\t') => void send(file, name, delimiter),
    cancel: () => controller.current?.abort(),
  };
}

function showStored(name: string): void {
  showToast('success', texts.storedSheet(name));
  void invalidate(listFiles);
}

/** The present sheet stays until another one is there, and runs only while it is in view. */
export function useFileChoice(onSheet: (sheet: Sheet) => void) {
  const [isChoosing, setChoosing] = useState(false);
  const upload = useUpload((sheet) => {
    setChoosing(false);
    onSheet(sheet);
  });
  const isReplacing = isChoosing || upload.state.phase !== 'idle';
  return { upload, isChoosing, onChoosing: setChoosing, isReplacing };
}

const megabyte = 1_000_000;

/** The server's limits, shown before a file is sent. */
export function uploadLimits(): string {
  const { upload_bytes, sheet_rows, sheet_columns } = settings().limits;
  return texts.uploadLimits({
    megabytes: upload_bytes / megabyte,
    rows: formatNumber(sheet_rows),
    columns: sheet_columns,
  });
}

/** Why the server would refuse a file, or null. */
export function uploadProblem(
  { name, size }: { name: string; size: number },
  maximumBytes: number,
): string | null {
  if (size === 0) return texts.fileIsEmpty(name);
  if (size > maximumBytes) return texts.fileIsTooLarge(name, maximumBytes / megabyte);
  if (/\.(xls|xlsb|ods|fods|numbers)$/i.test(name)) return texts.saveAsWorkbook(name);
  if (/\.(pdf|docx?|pptx?|png|jpe?g)$/i.test(name)) return texts.exportTable(name);
  if (/\.json$/i.test(name)) return texts.jsonIsNoTable(name);
  if (/\.(zip|gz|7z|rar|tar)$/i.test(name)) return texts.unpackFirst(name);
  return null;
}

export function sampleFile(): [file: Blob, name: string] {
  return [new Blob([texts.sampleRows], { type: 'text/csv' }), texts.sampleFileName];
}
