import {
  type AnswerOf,
  askChatGpt,
  type Batch,
  confirmPayment,
  type Endpoint,
  getAvailableCredits,
  getBatch,
  getNotifications,
  getOrderDetails,
  getOrders,
  getPayments,
  getProcessedFiles,
  getRows,
  getUsage,
  getUserPlan,
  type ProgressEvent,
  subjectOfEvent,
  userList,
} from '@rowmill/contract';
import { useEffect } from 'react';
import { followProgress } from '../../entities/batch/progress-stream.ts';
import { cacheBalance } from '../../entities/credits/balance.ts';
import { followRole } from '../../lib/acting.ts';
import {
  invalidate,
  queriesOf,
  queryClient,
  queryState,
  setQueryData,
  updateQueries,
} from '../../lib/api/query.ts';
import { isServerOutOfReach } from '../../lib/api/reach.ts';
import { useStored } from '../../lib/storage.ts';
import {
  differOnlyInJudgements,
  fetchJudgedRows,
  isSaving,
  isShown,
  pauseMilliseconds,
} from './judged-elsewhere.ts';

type BatchList = AnswerOf<typeof getProcessedFiles>;

/** The calls whose answers the stream keeps up to date. */
const liveCalls = [getProcessedFiles, getBatch, getRows, getNotifications] as const;
/**
 * News may tell of a payment made in another tab: an order must not be offered twice. A refund or
 * dispute may have taken the plan.
 */
const callsWithNews = [
  getNotifications,
  getOrders,
  getOrderDetails,
  getPayments,
  getUserPlan,
  confirmPayment,
] as const;

/** Writes an event, or the answer to an action, to every cached answer that contains it. */
export function applyEvent(event: ProgressEvent): void {
  if (event.kind === 'batch') updateBatch(event.batch);
  else if (event.kind === 'batch_deleted') removeBatch(event.id);
  else if (event.kind === 'role') void followRole(event.role_id).catch(() => {});
  else if (event.kind === 'news') for (const call of callsWithNews) void invalidate(call);
  else updateBalance(event);
}

/**
 * Every stream begins with the balance, also after an interruption: events may have been missed.
 */
function updateBalance(event: Extract<ProgressEvent, { kind: 'credits' }>): void {
  cacheBalance(event.user_id, event);
  refreshLiveQueries();
  for (const endpoint of callsWithBalance) refresh(endpoint);
}

/**
 * An admin may have given what a quote said is missing, or changed the monthly limit. The list of
 * clients says how much its admin can give.
 */
const callsWithBalance = [askChatGpt, userList] as const;

/**
 * A page that opens with the stream has just fetched its lists and needs no second fetch, unless
 * stored answers took their place.
 */
const freshMilliseconds = 2_000;

function refreshLiveQueries(): void {
  for (const endpoint of liveCalls) refresh(endpoint);
}

function refresh(endpoint: Endpoint): void {
  const isOld = ({ state }: { state: { dataUpdatedAt: number } }) =>
    isServerOutOfReach() || Date.now() - state.dataUpdatedAt >= freshMilliseconds;
  void queryClient.invalidateQueries(
    { ...queriesOf(endpoint), predicate: isOld },
    { cancelRefetch: false },
  );
}

/** A tab without a stream asks for what the stream would have sent. */
function pollLiveQueries(): void {
  void invalidate(getAvailableCredits);
  refreshLiveQueries();
}

/** Writes a batch to its page and to the lists that hold it. */
export function writeBatch(batch: Batch): void {
  setQueryData(getBatch, { id: batch.id }, { status: true, batch });
  updateLists(batch.id, (list) => ({
    ...list,
    files: list.files.map((file) => (file.id === batch.id ? batch : file)),
  }));
}

function updateBatch(batch: Batch): void {
  const known = findKnown(batch.id);
  if (known && known.state !== 'running' && isAboutJudgements(known, batch)) return;
  writeBatch(batch);
  const isKnownState = known?.state === batch.state;
  // A new or changed state can move the batch to other lists.
  if (!isKnownState) void invalidate(getProcessedFiles);
  // Its rows and the dashboard's figures are polled while it runs. A poll may have reported the
  // end before the last ones were fetched.
  if (isKnownState && batch.state === 'running') return;
  void invalidate(getRows, { id: batch.id });
  void invalidate(getUsage);
}

/** Handles an event that tells nothing else. The tab that judged a row keeps it in its list. */
function isAboutJudgements(known: Batch, batch: Batch): boolean {
  if (isShown(batch)) return true;
  if (!differOnlyInJudgements(known, batch)) return false;
  if (batch.judgement_version < known.judgement_version) return true;
  // The answer tells whether the judgement was made here, and may come after the event.
  if (isSaving(batch.id)) setTimeout(() => showJudgements(batch), pauseMilliseconds);
  else {
    writeBatch(batch);
    void fetchJudgedRows(batch.id);
  }
  return true;
}

function showJudgements(batch: Batch): void {
  const known = findKnown(batch.id);
  if (known) isAboutJudgements(known, batch);
}

/** The last known state of a batch, from its page or from a list. */
export function findKnown(id: string): Batch | undefined {
  const lists = queryClient.getQueriesData<BatchList>(queriesOf(getProcessedFiles));
  return (
    queryState(getBatch, { id })?.data?.batch ??
    lists.flatMap(([, list]) => list?.files ?? []).find((file) => file.id === id)
  );
}

/** A page that shows the batch fetches it once more and says that it no longer exists. */
function removeBatch(id: string): void {
  updateLists(id, (list) => ({
    ...list,
    files: list.files.filter((file) => file.id !== id),
    total: Math.max(0, list.total - 1),
  }));
  void invalidate(getProcessedFiles);
  queryClient.removeQueries(queriesOf(getRows, { id }));
  queryClient.removeQueries({ ...queriesOf(getBatch, { id }), type: 'inactive' });
  void queryClient.resetQueries({ ...queriesOf(getBatch, { id }), type: 'active' });
}

/** Writes only the lists that hold the batch, because writing makes a list look fresh. */
function updateLists(id: string, change: (list: BatchList) => BatchList): void {
  updateQueries(getProcessedFiles, (list) =>
    list.files.some((file) => file.id === id) ? change(list) : undefined,
  );
}

const throttleMilliseconds = 200;

/**
 * A fast batch sends its counts many times a second. Pages update five times a second, with the
 * latest event of each batch.
 */
export function throttleEvents(
  apply: (event: ProgressEvent) => void,
): (event: ProgressEvent) => void {
  const latest = new Map<string, ProgressEvent>();
  let isScheduled = false;
  function flush(): void {
    isScheduled = false;
    const events = [...latest.values()];
    latest.clear();
    for (const event of events) apply(event);
  }
  return (event) => {
    latest.set(subjectOfEvent(event), event);
    if (!isScheduled) setTimeout(flush, throttleMilliseconds);
    isScheduled = true;
  };
}

/** Follows the server's stream for the person or the client they act for. Mounted once. */
export function useLiveProgress(): void {
  const token = useStored('userToken');
  const subject = useStored('switchedAs')?.user_id ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject needs another stream
  useEffect(() => {
    if (!token) return;
    const end = new AbortController();
    const onEvent = throttleEvents((event) => {
      if (!end.signal.aborted) applyEvent(event);
    });
    void followProgress(onEvent, { signal: end.signal, onTooMany: pollLiveQueries });
    return () => end.abort();
  }, [token, subject]);
  useEffect(() => {
    window.addEventListener('online', refreshLiveQueries);
    return () => window.removeEventListener('online', refreshLiveQueries);
  }, []);
}
