/** A short message that goes away by itself. */
export interface Toast {
  id: number;
  tone: 'success' | 'error';
  message: string;
}

export const toastMilliseconds = 3000;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

export function showToast(tone: Toast['tone'], message: string): void {
  const id = nextId++;
  change([...toasts, { id, tone, message }]);
  setTimeout(() => change(toasts.filter((toast) => toast.id !== id)), toastMilliseconds);
}

export function shownToasts(): readonly Toast[] {
  return toasts;
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
