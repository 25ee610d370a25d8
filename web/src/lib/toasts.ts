/** A short message that disappears after three seconds. What an error concerns shows the error as well. */
export interface Toast {
  id: number;
  tone: 'success' | 'error' | 'info';
  message: string;
}

export interface PastToast extends Toast {
  at: string;
}

export const toastMilliseconds = 3000;
const maximumRecent = 20;

let toasts: readonly Toast[] = [];
let recent: readonly PastToast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

export function showToast(tone: Toast['tone'], message: string): void {
  const toast = { id: nextId++, tone, message };
  recent = [{ ...toast, at: new Date().toISOString() }, ...recent].slice(0, maximumRecent);
  // A repeated message starts its time again instead of standing there twice.
  change([...toasts.filter((shown) => shown.tone !== tone || shown.message !== message), toast]);
  setTimeout(() => remove(toast.id), toastMilliseconds);
}

export function shownToasts(): readonly Toast[] {
  return toasts;
}

/** Newest first. */
export function recentToasts(): readonly PastToast[] {
  return recent;
}

/** At the end of a session: the next person must not read the messages of the last one. */
export function clearToasts(): void {
  recent = [];
  change(toasts);
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function remove(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
