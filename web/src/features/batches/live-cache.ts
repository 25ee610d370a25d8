import type { AnswerOf, Batch, getProcessedFiles, ProgressEvent } from '@rowmill/contract';
import type { QueryClient } from '@tanstack/react-query';

type BatchList = AnswerOf<typeof getProcessedFiles>;

/** Everything that the stream keeps up to date, by the first word of its key. */
const liveKeys = ['batches', 'batch', 'rows'] as const;

/** Writes what was pushed, or what an action answered, to every place that shows it. */
export function applyEvent(client: QueryClient, event: ProgressEvent): void {
  if (event.kind === 'batch') keep(client, event.batch);
  else if (event.kind === 'batch_deleted') forget(client, event.id);
  else keepBalance(client, event);
}

/** Every stream begins with the balance. Before a stream that replaces a broken one, something may have gone unheard. */
function keepBalance(
  client: QueryClient,
  event: Extract<ProgressEvent, { kind: 'credits' }>,
): void {
  client.setQueryData(['credits', event.user_id], event.creditsAvailable);
  askAgain(client);
}

export function askAgain(client: QueryClient): void {
  for (const key of liveKeys)
    void client.invalidateQueries({ queryKey: [key] }, { cancelRefetch: false });
}

/** What one client owns must not stand on the page of the next. */
export function startOver(client: QueryClient): void {
  for (const key of liveKeys) void client.resetQueries({ queryKey: [key] });
}

export function withBatch(list: BatchList, batch: Batch): BatchList {
  return { ...list, files: list.files.map((file) => (file.id === batch.id ? batch : file)) };
}

export function withoutBatch(list: BatchList, id: string): BatchList {
  return {
    ...list,
    files: list.files.filter((file) => file.id !== id),
    total: Math.max(0, list.total - 1),
  };
}

function keep(client: QueryClient, batch: Batch): void {
  const known = client.getQueryData<Batch>(['batch', batch.id]);
  client.setQueryData(['batch', batch.id], batch);
  changeLists(client, batch.id, (list) => withBatch(list, batch));
  if (known?.state === batch.state) return;
  // New, or in another state: it may belong to other lists now, and its rows may not be followed any more.
  void client.invalidateQueries({ queryKey: ['batches'] });
  void client.invalidateQueries({ queryKey: ['rows', batch.id] });
}

/** A page that shows it asks once more and says that it is gone. */
function forget(client: QueryClient, id: string): void {
  changeLists(client, id, (list) => withoutBatch(list, id));
  void client.invalidateQueries({ queryKey: ['batches'] });
  client.removeQueries({ queryKey: ['rows', id] });
  client.removeQueries({ queryKey: ['batch', id], type: 'inactive' });
  void client.resetQueries({ queryKey: ['batch', id], type: 'active' });
}

/** Only the lists that hold the batch are written, for writing renews the age of a list. */
function changeLists(
  client: QueryClient,
  id: string,
  change: (list: BatchList) => BatchList,
): void {
  for (const [key, list] of client.getQueriesData<BatchList>({ queryKey: ['batches'] })) {
    if (list?.files.some((file) => file.id === id)) client.setQueryData(key, change(list));
  }
}
