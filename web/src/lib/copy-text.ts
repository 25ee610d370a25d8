import * as texts from '../texts/ui.ts';
import { showToast } from './toasts.ts';

/**
 * Puts text on the clipboard, also where its API is missing or forbidden, as over plain HTTP. The
 * person is told `done`, or that it failed.
 */
export async function copyText(text: string, done?: string): Promise<void> {
  const isCopied = await writeClipboard(text);
  if (!isCopied) showToast('error', texts.copyFailed);
  else if (done) showToast('success', done);
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Only elements of an open dialog can have the focus. */
function copySelected(text: string): boolean {
  const area = document.createElement('textarea');
  const focused = document.activeElement as HTMLElement | null;
  area.value = text;
  (focused?.closest('dialog') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return isCopied;
}
