/** The messages between the main thread and the thread of the embedded database. */
export interface StatementResult {
  rows: unknown[];
  affectedRows: number;
}

export type ToWorker =
  | {
      kind: 'query';
      id: number;
      text: string;
      values: readonly unknown[];
      beginsTransaction: boolean;
    }
  | { kind: 'script'; id: number; text: string }
  | { kind: 'listen' | 'unlisten'; id: number; channel: string }
  | { kind: 'close'; id: number };

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'done'; id: number; result: StatementResult | StatementResult[] | null }
  | { kind: 'failed'; id: number; error: Record<string, unknown> }
  | { kind: 'notified'; channel: string; payload: string };
