import { endpoints } from '@rowmill/contract';
import { ApiClient } from '../../server/harness/api-client.ts';
import { sessionToken } from './fill-lists.ts';

/** Below the limit of streams of one person. */
const browsersOfAPerson = 2;

/** Opens event streams of the people of `fillLists` and reads them, as browsers do. */
export async function connectBrowsers(
  url: string,
  count: number,
): Promise<AsyncDisposable & { connected(): number }> {
  const stop = new AbortController();
  let connected = 0;
  const reading: Promise<unknown>[] = [];
  for (let browser = 0; browser < count; browser++) {
    const token = sessionToken(Math.floor(browser / browsersOfAPerson));
    const stream = await new ApiClient(url, token).open(endpoints.events.path);
    connected++;
    const ended = stream.pipeTo(new WritableStream(), { signal: stop.signal });
    reading.push(ended.catch(() => {}).finally(() => connected--));
  }
  return {
    connected: () => connected,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.all(reading);
    },
  };
}
