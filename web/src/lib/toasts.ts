/** A short message that goes away by itself. */
export interface Toast {
  id: number;
  tone: 'success' | 'error' | 'info';
  message: string;
}

/** A message that was shown, kept for those who looked away. */
export interface PastToast extends Toast {
  at: string;
}

export const toastMilliseconds = 3000;
const keptAtMost = 20;

let toasts: readonly Toast[] = [];
let kept: readonly PastToast[] = [];
let isHeld = false;
let nextId = 1;
const listeners = new Set<() => void>();

export function showToast(tone: Toast['tone'], message: string): void {
  const toast = { id: nextId++, tone, message };
  kept = [{ ...toast, at: new Date().toISOString() }, ...kept].slice(0, keptAtMost);
  change([...toasts, toast]);
  setTimeout(() => leave(toast.id), toastMilliseconds);
}

/** While a person points at the messages or has the focus there, none of them leaves. */
export function holdToasts(hold: boolean): void {
  isHeld = hold;
}

export function shownToasts(): readonly Toast[] {
  return toasts;
}

export function recentToasts(): readonly PastToast[] {
  return kept;
}

/** At the end of a session: the next person must not read what the last one was told. */
export function clearToasts(): void {
  kept = [];
  change(toasts);
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function leave(id: number): void {
  if (isHeld) setTimeout(() => leave(id), 500);
  else change(toasts.filter((toast) => toast.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
