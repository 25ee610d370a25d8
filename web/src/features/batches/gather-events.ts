import type { ProgressEvent } from '@rowmill/contract';

const gatherMilliseconds = 200;

/** A fast batch tells its counts many times a second; the pages are drawn five times a second, with the last word on each. */
export function gatherEvents(
  apply: (event: ProgressEvent) => void,
): (event: ProgressEvent) => void {
  const waiting = new Map<string, ProgressEvent>();
  let isTimed = false;
  function flush(): void {
    isTimed = false;
    const events = [...waiting.values()];
    waiting.clear();
    for (const event of events) apply(event);
  }
  return (event) => {
    waiting.set(subjectOf(event), event);
    if (!isTimed) setTimeout(flush, gatherMilliseconds);
    isTimed = true;
  };
}

function subjectOf(event: ProgressEvent): string {
  if (event.kind === 'credits') return `credits ${event.user_id}`;
  return `batch ${event.kind === 'batch' ? event.batch.id : event.id}`;
}
