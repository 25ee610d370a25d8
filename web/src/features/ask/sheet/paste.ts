import { useEffect, useEffectEvent } from 'react';
import * as texts from '../../../texts/ask.ts';

/** A quoted cell, in which quotes are doubled. */
const longestCell = 2 * 32_767 + 4;

/** Why pasted text is not a sheet, or null. A cell with line ends arrives in quotes. */
export function pasteProblem(text: string): string | null {
  if (text.trim() === '') return texts.pasteRowsFirst;
  // A spreadsheet cell is never longer, and matching megabytes would block the page.
  if (text.length > longestCell) return null;
  const isOneCell = /^(?:[^\t\r\n]*|"(?:[^"]|"")*")[\r\n]*$/.test(text);
  return isOneCell ? texts.pasteMoreThanACell : null;
}

export interface Pasted {
  file: Blob;
  name: string;
  /** Set for cells of a spreadsheet, which arrive with tabs between them. */
  delimiter?: '\t';
}

/** Takes what is pasted anywhere on the page but into a field. */
export function usePaste(
  onPaste: (pasted: Pasted) => void,
  onProblem: (problem: string) => void,
): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData, target } = event;
    const isField = (target as Element | null)?.closest?.('input, textarea, [contenteditable]');
    if (!clipboardData || isField || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    const text = clipboardData.getData('text/plain');
    const [file] = clipboardData.files;
    // Spreadsheets add a picture of the cells, so text comes first.
    if (text === '' && file) return onPaste({ file, name: file.name });
    const problem = pasteProblem(text);
    if (problem) return onProblem(problem);
    const isCells = clipboardData.types.includes('text/html') && text.includes('\t');
    onPaste({ ...pastedFile(text), ...(isCells && { delimiter: '\t' }) });
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => take(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
}

export function pastedFile(text: string): Pasted {
  return { file: new Blob([text], { type: 'text/csv' }), name: texts.pastedFileName };
}
