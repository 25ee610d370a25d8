import { type Sheet, saveFile } from '@rowmill/contract';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { upload } from '../../../lib/api/upload.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';

/** After the last byte is sent, the server still has to read the file. */
type State =
  | { phase: 'idle'; error: string | null }
  | { phase: 'sending'; name: string; percent: number }
  | { phase: 'reading'; name: string };

export interface Upload {
  state: State;
  start(file: Blob, name: string): void;
  cancel(): void;
}

export function useUpload(onSheet: (sheet: Sheet) => void): Upload {
  const [state, setState] = useState<State>({ phase: 'idle', error: null });
  const controller = useRef<AbortController | null>(null);
  // Leaving the page or acting for another client cancels the upload.
  useEffect(() => () => controller.current?.abort(), []);

  async function send(file: Blob, name: string): Promise<void> {
    const problem = uploadProblem({ name, size: file.size });
    if (problem) return setState({ phase: 'idle', error: problem });
    controller.current = new AbortController();
    const { signal } = controller.current;
    setState({ phase: 'sending', name, percent: 0 });
    const onProgress = (percent: number) =>
      setState(percent < 100 ? { phase: 'sending', name, percent } : { phase: 'reading', name });
    try {
      const answer = await upload(saveFile, { file, name, onProgress, signal });
      setState({ phase: 'idle', error: null });
      onSheet(answer.file);
    } catch (error) {
      setState({ phase: 'idle', error: signal.aborted ? null : errorMessage(error) });
    }
  }

  return {
    state,
    start: (file, name) => void send(file, name),
    cancel: () => controller.current?.abort(),
  };
}

/** The server's limits, shown and checked before a file is sent. */
const maximumMegabytes = 200;
const maximumRows = 1_000_000;
const maximumColumns = 200;

export const uploadLimits = texts.uploadLimits({
  megabytes: maximumMegabytes,
  rows: formatNumber(maximumRows),
  columns: maximumColumns,
});

/** Why the server would refuse a file, or null. */
export function uploadProblem({ name, size }: { name: string; size: number }): string | null {
  if (size === 0) return texts.fileIsEmpty(name);
  if (size > maximumMegabytes * 1024 * 1024) return texts.fileIsTooLarge(name, maximumMegabytes);
  if (/\.(xlsx?|ods|numbers)$/i.test(name)) return texts.fileIsWorkbook(name);
  return null;
}

export function sampleFile(): [file: Blob, name: string] {
  return [new Blob([texts.sampleRows], { type: 'text/csv' }), texts.sampleFileName];
}
