import type { BatchState } from '@rowmill/contract';
import type { Notice } from '../core/event-bus.ts';
import type { EnginePause } from '../domains/batches/lifecycle/engine-pause.ts';
import type { FetchedSlice, UnaskedRow } from '../domains/batches/slices/lease.ts';
import type { LeasedRow } from './leased-slice.ts';
import type { ChatOutcome, Lease } from './port.ts';

/** A row that is not sent because of what was read. */
export type UnaskedLeasedRow = Omit<UnaskedRow, 'row'> & { row: LeasedRow };

/** Everything that the dispatcher reacts to. */
export type EngineEvent =
  // Timers
  | { type: 'poll_due' }
  | { type: 'heartbeat_due' }
  | { type: 'disk_check_due' }
  | { type: 'slot_free' }
  | { type: 'retry_due'; row: LeasedRow }
  // A batch changed, in this process or another
  | { type: 'notice_arrived'; notice: Notice }
  // A slice
  | { type: 'slice_leased'; lease: Lease; fetched: FetchedSlice }
  | { type: 'slice_ended' }
  // A row
  | { type: 'quarantine_ready'; rows: readonly LeasedRow[]; unasked: readonly UnaskedLeasedRow[] }
  | { type: 'answer_arrived'; row: LeasedRow; outcome: ChatOutcome; milliseconds: number }
  | { type: 'rows_stored'; batchId: string; rows: readonly LeasedRow[]; state: BatchState | null }
  | { type: 'rows_not_storable'; batchId: string; rows: readonly LeasedRow[]; pause: EnginePause }
  // The provider or this process
  | { type: 'provider_down'; breakerKey: string }
  | { type: 'provider_up'; breakerKey: string }
  | { type: 'shutdown_started' };

export type EventOf<Type extends EngineEvent['type']> = Extract<EngineEvent, { type: Type }>;

/** Completes when the event is handled; undefined if it is already. It never fails. */
export type Emit = (event: EngineEvent) => Promise<void> | undefined;
