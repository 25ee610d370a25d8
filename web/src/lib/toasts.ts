/** A short message that disappears after three seconds. Errors are also shown in place. */
export interface Toast {
  id: number;
  tone: 'success' | 'error' | 'info';
  message: string;
}

export const toastMilliseconds = 3000;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

export function showToast(tone: Toast['tone'], message: string): void {
  const toast = { id: nextId++, tone, message };
  // A repeated message is shown once, for another three seconds.
  change([...toasts.filter((shown) => shown.tone !== tone || shown.message !== message), toast]);
  setTimeout(() => remove(toast.id), toastMilliseconds);
}

export function shownToasts(): readonly Toast[] {
  return toasts;
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
