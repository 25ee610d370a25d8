let isOutOfReach = false;
const listeners = new Set<() => void>();

/** Whether the last answer was a stored one, because the server is out of reach. */
export const isServerOutOfReach = () => isOutOfReach;

export function setServerOutOfReach(isOut: boolean): void {
  isOutOfReach = isOut;
  for (const listener of listeners) listener();
}

export function subscribeToReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
