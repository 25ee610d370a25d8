import { events, type ProgressEvent, progressEvent } from '@rowmill/contract';
import { callForResponse } from '../../lib/api/api-client.ts';
import { Refusal } from '../../lib/api/refusal.ts';

const pausesInMilliseconds = [1_000, 2_000, 5_000, 10_000];
const longestPause = 30_000;
/** The index of the pause after "too many streams": such a tab polls every five seconds. */
const fullTries = 2;

/**
 * Follows the server's events until the signal aborts, and reopens a broken stream after growing
 * pauses. A person with many open tabs gets no further stream: then `onTooMany` runs at each try.
 * The browser's own EventSource cannot send the bearer header.
 */
export async function followProgress(
  onEvent: (event: ProgressEvent) => void,
  { signal, onTooMany }: { signal: AbortSignal; onTooMany: () => void },
): Promise<void> {
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      await readStream(signal, (event) => {
        tries = -1;
        onEvent(event);
      });
    } catch (error) {
      // Retrying is pointless: the session has ended, or the person has no access.
      if (error instanceof Refusal && error.status < 500 && error.status !== 429) return;
      if (error instanceof Refusal && error.status === 429) {
        tries = fullTries;
        onTooMany();
      }
    }
    await pause(pausesInMilliseconds[Math.max(tries, 0)] ?? longestPause, signal);
  }
}

async function readStream(
  signal: AbortSignal,
  onEvent: (event: ProgressEvent) => void,
): Promise<void> {
  const { body } = await callForResponse(events, {}, { signal });
  if (!body) return;
  let rest = '';
  for await (const text of chunksOf(body.pipeThrough(new TextDecoderStream()))) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event) onEvent(event);
    }
  }
}

/** Some browsers cannot iterate over a stream. */
async function* chunksOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** A block is an event with its data, or a comment that keeps the connection open. */
function parse(block: string): ProgressEvent | null {
  const data = block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5))
    .join('\n');
  if (!data) return null;
  const parsed = progressEvent.safeParse(JSON.parse(data));
  return parsed.success ? parsed.data : null;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
