/** A storage for unit tests, which run in Node. */
export class MemoryStorage extends Map<string, string> implements Storage {
  [name: string]: unknown;
  get length() {
    return this.size;
  }
  key = (index: number) => [...this.keys()][index] ?? null;
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => void this.set(key, value);
  removeItem = (key: string) => void this.delete(key);
}

/** Begins with an empty browser. */
export function resetStorage(): void {
  globalThis.localStorage = new MemoryStorage();
  globalThis.sessionStorage = new MemoryStorage();
}
