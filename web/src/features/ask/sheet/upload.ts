import { type Sheet, saveFile } from '@rowmill/contract';
import { useEffect, useRef, useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import { upload } from '../../../lib/upload.ts';
import * as texts from '../../../texts/ask.ts';

/** Sending: bytes leave. Checking: all have left, and the server reads them; that is not the end. */
type State =
  | { phase: 'idle'; error: string | null }
  | { phase: 'sending'; name: string; percent: number }
  | { phase: 'checking'; name: string };

export interface Upload {
  state: State;
  send(file: Blob, name: string): void;
  cancel(): void;
}

export function useUpload(onSheet: (sheet: Sheet) => void): Upload {
  const [state, setState] = useState<State>({ phase: 'idle', error: null });
  const controller = useRef<AbortController | null>(null);
  // Who leaves the page, or acts for somebody else from now on, takes the file with him.
  useEffect(() => () => controller.current?.abort(), []);

  async function send(file: Blob, name: string): Promise<void> {
    const objection = objectionTo({ name, size: file.size });
    if (objection) return setState({ phase: 'idle', error: objection });
    controller.current = new AbortController();
    const { signal } = controller.current;
    setState({ phase: 'sending', name, percent: 0 });
    const onProgress = (percent: number) =>
      setState(percent < 100 ? { phase: 'sending', name, percent } : { phase: 'checking', name });
    try {
      const answer = await upload(saveFile, { file, name, onProgress, signal });
      setState({ phase: 'idle', error: null });
      onSheet(answer.file);
    } catch (error) {
      setState({ phase: 'idle', error: signal.aborted ? null : wordsFor(error) });
    }
  }

  return {
    state,
    send: (file, name) => void send(file, name),
    cancel: () => controller.current?.abort(),
  };
}

/** What the server takes, told and checked before anything is sent. */
const maximumMegabytes = 200;
const maximumRows = 1_000_000;
const maximumColumns = 200;

export const limitsInWords = texts.limits({
  megabytes: maximumMegabytes,
  rows: formatNumber(maximumRows),
  columns: maximumColumns,
});

/** Why a file need not be sent at all, or null. */
export function objectionTo({ name, size }: { name: string; size: number }): string | null {
  if (size === 0) return texts.isEmpty(name);
  if (size > maximumMegabytes * 1024 * 1024) return texts.isTooLarge(name, maximumMegabytes);
  if (/\.(xlsx?|ods|numbers)$/i.test(name)) return texts.isWorkbook(name);
  return null;
}

/** A small sheet for those who only want to look. */
export function sampleFile(): [file: Blob, name: string] {
  return [new Blob([texts.sampleRows], { type: 'text/csv' }), texts.sampleName];
}
