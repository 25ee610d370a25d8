/** Where Ollama and LM Studio listen when nobody told them otherwise. */
const usual = ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:1234/v1'] as const;
/** The start of the server waits for this. */
const patienceMilliseconds = 300;

/** The base URL of the first chat server on this machine that has a model to offer. */
export async function findLocalChat(addresses: readonly string[] = usual): Promise<string | null> {
  const found = await Promise.all(addresses.map(hasModels));
  return addresses.find((_address, index) => found[index]) ?? null;
}

async function hasModels(address: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(patienceMilliseconds);
    const response = await fetch(`${address}/models`, { signal, redirect: 'error' });
    const list: unknown = await response.json();
    const models = typeof list === 'object' && list !== null && 'data' in list ? list.data : null;
    return response.ok && Array.isArray(models) && models.length > 0;
  } catch {
    // Nobody there, or somebody else.
    return false;
  }
}
