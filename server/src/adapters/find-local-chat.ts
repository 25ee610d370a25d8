/** Where Ollama and LM Studio listen by default. */
const defaultAddresses = ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:1234/v1'] as const;
/** The start waits for this. A local server answers within a few milliseconds. */
const timeoutMilliseconds = 300;

/** The base URL of the first chat server on this machine that has a model. */
export async function findLocalChat(
  addresses: readonly string[] = defaultAddresses,
): Promise<string | null> {
  const found = await Promise.all(addresses.map(hasModels));
  return addresses.find((_address, index) => found[index]) ?? null;
}

async function hasModels(address: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const response = await fetch(`${address}/models`, { signal, redirect: 'error' });
    const list: unknown = await response.json();
    const models = typeof list === 'object' && list !== null && 'data' in list ? list.data : null;
    return response.ok && Array.isArray(models) && models.length > 0;
  } catch {
    // No server, or one of another kind.
    return false;
  }
}
