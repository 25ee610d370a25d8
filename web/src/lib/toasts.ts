/** A short message that disappears by itself. */
export interface Toast {
  id: number;
  tone: 'success' | 'error' | 'info';
  message: string;
}

export interface PastToast extends Toast {
  at: string;
}

export const toastMilliseconds = 3000;
const heldMilliseconds = 500;
const maximumRecent = 20;

let toasts: readonly Toast[] = [];
let recent: readonly PastToast[] = [];
let isHeld = false;
let nextId = 1;
const listeners = new Set<() => void>();

export function showToast(tone: Toast['tone'], message: string): void {
  const toast = { id: nextId++, tone, message };
  recent = [{ ...toast, at: new Date().toISOString() }, ...recent].slice(0, maximumRecent);
  change([...toasts, toast]);
  setTimeout(() => remove(toast.id), toastMilliseconds);
}

/** Toasts stay while a person points at them or has the focus there. */
export function holdToasts(hold: boolean): void {
  isHeld = hold;
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
  if (isHeld) setTimeout(() => remove(id), heldMilliseconds);
  else change(toasts.filter((toast) => toast.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
