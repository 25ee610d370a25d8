// size: every table once
import type {
  Batch,
  BatchState,
  BillingAddress,
  CreditBucket,
  FormatFinding,
  Judgement,
  LimitScope,
  LinkPurpose,
  NotificationKind,
  Output,
  PauseReason,
  ProviderKind,
  ProviderModel,
  ReasoningEffort,
  RoleId,
  RowState,
  Sheet,
  SheetView,
  SinglePromptState,
  SliceState,
} from '@rowmill/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { ColumnSize, Layout } from '../lib/csv/sheet.ts';
import type { BillingTables, Instant, MaybeInstant, PlanTerms } from './billing-tables.ts';

/** The tables as Kysely sees them; the migrations create them. */
export interface Schema extends BillingTables {
  users: UserTable;
  sessions: SessionTable;
  email_links: EmailLinkTable;
  rate_limits: RateLimitTable;
  transaction_receipts: { id: string; created_at: Generated<Date> };
  idempotency_keys: IdempotencyKeyTable;
  audit_entries: AuditEntryTable;
  /** The sum of all counts is the number of audit entries; a trigger adds rows. */
  audit_counts: { count: number };
  credit_accounts: CreditAccountTable;
  credit_entries: CreditEntryTable;
  user_plans: UserPlanTable;
  billing_addresses: BillingAddressTable;
  sheets: SheetTable;
  variables: VariableTable;
  batches: BatchTable;
  /** The sum of the counts is the number of batches in that state; a trigger adds rows. */
  batch_counts: { user_id: string; state: BatchState; count: number };
  /** The answered and failed rows and prompts, without running batches. Triggers add rows. */
  answer_counts: { user_id: string; answered: number; failed: number };
  cost_sums: CostSumTable;
  cost_parts: CostSumTable;
  slices: SliceTable;
  results: ResultTable;
  earlier_problems: EarlierProblemTable;
  single_prompts: SinglePromptTable;
  cooldowns: CooldownTable;
  model_formats: ModelFormatTable;
  providers: ProviderTable;
  models: ModelTable;
  former_clients: FormerClientTable;
  client_limits: ClientLimitTable;
  notifications: NotificationTable;
  demo_mark: DemoMarkTable;
  storage_probes: { filler: string };
}

export interface UserTable {
  id: string;
  email: string;
  email_verified_at: MaybeInstant;
  pending_email: string | null;
  password_hash: string | null;
  first_name: string;
  last_name: string;
  phone: string;
  role_id: RoleId;
  admin_id: string | null;
  profile_photo: string | null;
  created_at: Instant;
  last_seen_at: MaybeInstant;
  deleted_at: MaybeInstant;
  /** Some of their prompts may be gone already. */
  deletion_began_at: MaybeInstant;
  suspended_at: MaybeInstant;
  batch_emails: Generated<boolean>;
  search_text: ColumnType<string, never, never>;
}

export interface NotificationTable {
  id: string;
  user_id: string;
  batch_id: string | null;
  client_id: string | null;
  kind: NotificationKind;
  text: string;
  path: string;
  wants_email: boolean;
  emailed_at: MaybeInstant;
  read_at: MaybeInstant;
  created_at: Instant;
}

export interface SessionTable {
  id: string;
  user_id: string;
  token_hash: string;
  device: string;
  created_at: Instant;
  last_seen_at: Instant;
}

export interface EmailLinkTable {
  id: string;
  user_id: string;
  purpose: LinkPurpose;
  token_hash: string;
  created_at: Instant;
  expires_at: Instant;
  used_at: MaybeInstant;
}

export interface RateLimitTable {
  key: string;
  attempts: number;
  resets_at: Instant;
}

export interface IdempotencyKeyTable {
  user_id: string;
  key: string;
  request_hash: string;
  answer: JSONColumnType<Record<string, unknown>, string, string> | null;
  /** The ids that request and answer name: when one of them is deleted, the answer goes too. */
  about: string[];
  is_dropped: Generated<boolean>;
  created_at: Instant;
  /** Heartbeat of a request that waits for an external service, by the clock of the database. */
  alive_at: Generated<Date>;
}

export interface AuditEntryTable {
  id: string;
  at: Instant;
  actor_id: string;
  subject_id: string;
  act: string;
  detail: JSONColumnType<Record<string, unknown>, string, never>;
  request_id: string;
}

export interface CreditAccountTable {
  user_id: string;
  available: Generated<number>;
  reserved: Generated<number>;
  spent: Generated<number>;
  debt: Generated<number>;
  /** Set while a ledger check fails for the account. */
  frozen_at: MaybeInstant;
}

export interface CreditEntryTable {
  id: string;
  at: Instant;
  user_id: string;
  from_bucket: CreditBucket;
  to_bucket: CreditBucket;
  amount: number;
  cause: string;
}

export interface UserPlanTable {
  id: string;
  user_id: string;
  plan_id: string;
  terms: JSONColumnType<PlanTerms, string, never>;
  started_at: Instant;
  ends_at: MaybeInstant;
  /** The order that paid for it. */
  order_id: string | null;
  /** Set while its whole price is refunded or disputed. */
  revoked_at: MaybeInstant;
  reminded_at: MaybeInstant;
}

export interface BillingAddressTable {
  user_id: string;
  address: JSONColumnType<BillingAddress>;
}

export interface SheetTable {
  id: string;
  user_id: string;
  actor_id: string;
  name: string;
  bytes: number;
  encoding: string;
  delimiter: string;
  header: boolean;
  /** What else the dialect sets. */
  layout: JSONColumnType<Layout, string, string>;
  /** The sheets of the workbook it comes from. */
  worksheets: JSONColumnType<Sheet['worksheets'], string, string>;
  dialect_confirmed: boolean;
  columns: JSONColumnType<string[], string, string>;
  rows: number;
  blank_rows: number;
  candidates: JSONColumnType<Sheet['candidates'], string, string>;
  sample: JSONColumnType<string[][], string, string>;
  report: JSONColumnType<Sheet['report'], string, string>;
  metadata: JSONColumnType<Record<string, unknown>, string, string>;
  /** Null for sheets of earlier versions. */
  column_sizes: JSONColumnType<ColumnSize[] | null, string | undefined, string>;
  /** How its columns are arranged in grids. */
  view: JSONColumnType<SheetView | null, string | null | undefined, string | null>;
  /** The offset of each block of 256 rows in the rows file, then its length. */
  offsets: JSONColumnType<number[], string, string>;
  /** The upload and the rows file together; computed by the database. */
  stored_bytes: ColumnType<number, never, never>;
  created_at: Instant;
  deleted_at: MaybeInstant;
}

export interface VariableTable {
  user_id: string;
  name: string;
  value: string;
}

/** The options that are sent to the model with the prompt. */
export interface AskOptions {
  system: string | null;
  temperature: number | null;
  max_tokens: number | null;
  outputs: Output[];
  /** Absent unless set. */
  top_p?: number;
  stop?: string[];
  seed?: number;
  reasoning_effort?: ReasoningEffort;
}

/** What a provider counted for a row or prompt, and who answered it. */
interface CountedTokens {
  input_tokens: Generated<number | null>;
  cached_tokens: Generated<number | null>;
  output_tokens: Generated<number | null>;
  reasoning_tokens: Generated<number | null>;
  /** In trillionths of the currency, at the time of the answer. */
  cost: Generated<number | null>;
  answered_by: Generated<string | null>;
}

export interface BatchTable {
  id: string;
  user_id: string;
  actor_id: string;
  sheet_id: string;
  name: string;
  state: BatchState;
  pause_reason: PauseReason | null;
  pause_detail: string | null;
  /** The pause reason that its owner has already been emailed about. */
  notified_pause_reason: Generated<string | null>;
  /** When it resumes by itself after its provider refused it. Null: when that is fixed. */
  resume_at: Generated<Date | null>;
  question: string;
  variables: JSONColumnType<Record<string, string>, string, string>;
  options: JSONColumnType<AskOptions, string, string>;
  model: string;
  /** Operators had set it up. Without its settings, the batch pauses. */
  is_model_set_up: Generated<boolean>;
  /** Submissions for one answered row; the most, when it costs by size. */
  price: number;
  /** This many tokens cost `unit_price`, rounded up. Null: every row costs the price. */
  price_tokens: Generated<number | null>;
  unit_price: Generated<number | null>;
  /** Its rows cost half, and are answered by then. */
  finish_by: MaybeInstant;
  /** The rows to ask, packed as in slices/row-set.ts; null for all rows from the first on. */
  selected_rows: string | null;
  /** Started with fewer submissions than rows; it pauses when they are used up. */
  is_partial: Generated<boolean>;
  /** Its last rows, if they are blank or too long and so cost nothing, or tried before. */
  free_rows_at_end: Generated<number>;
  /** Rows without a result that are blank or too long and so cost nothing. Null: not counted. */
  open_free_rows: Generated<number | null>;
  /** Equal for the same sheet, prompt and options, so that a preview is found again. */
  fingerprint: string;
  start_key: string | null;
  rows: number;
  answered: Generated<number>;
  failed: Generated<number>;
  skipped: Generated<number>;
  /**
   * Everything reserved for it since its start, and for tried rows with an answer; what is neither
   * reserved nor charged now was returned.
   */
  total_reserved: Generated<number>;
  reserved: Generated<number>;
  charged: Generated<number>;
  /** The first row to ask that is in no slice yet. */
  position: Generated<number>;
  /** The first row to ask whose failure a retry has not cleared yet. Null: there is none. */
  retry_position: Generated<number | null>;
  /** Bytes of all its answers. */
  result_bytes: Generated<number>;
  /** How many rows have any mark, and how many have each mark, in the order of the contract. */
  marked: Generated<number>;
  mark_counts: Generated<number[]>;
  input_tokens: Generated<number>;
  cached_tokens: Generated<number>;
  output_tokens: Generated<number>;
  reasoning_tokens: Generated<number>;
  /** Of its results, in trillionths of the currency, and of how many results it is unknown. */
  cost: Generated<string>;
  unknown_costs: Generated<number>;
  /** What the last complete CSV file had to change; null before the first one. */
  file_apostrophes: Generated<number | null>;
  file_replaced: Generated<number | null>;
  /** How many slices were made; the first ones are small. */
  slices: Generated<number>;
  /** Progress is measured over the present and the previous window. */
  rate_window_start: MaybeInstant;
  rate_window_rows: Generated<number>;
  previous_window_start: MaybeInstant;
  previous_window_rows: Generated<number>;
  /** What the quote expected at the start. */
  estimate: JSONColumnType<Batch['estimate'], string | null | undefined, string | null>;
  judged_right: Generated<number>;
  judged_wrong: Generated<number>;
  judged_later: Generated<number>;
  /** Changes with each judgement, note and correction. */
  judgement_version: Generated<number>;
  created_at: Instant;
  started_at: MaybeInstant;
  /** When it was paused last. */
  paused_at: MaybeInstant;
  ended_at: MaybeInstant;
  /** How long it was ended before its failed rows ran again. */
  idle_seconds: Generated<number>;
  deleted_at: MaybeInstant;
}

export interface SliceTable {
  batch_id: string;
  first: number;
  count: number;
  state: SliceState;
  /** How often a process ended while it held the lease. */
  crash_count: Generated<number>;
  /** Rows being sent apart from the rest of the slice. */
  quarantined_rows: JSONColumnType<number[] | null, string | null | undefined, string | null>;
  /** By row: how often a process ended while the row was in quarantine. */
  row_crash_counts: JSONColumnType<Record<string, number>, string | undefined, string>;
}

export interface ResultTable extends CountedTokens {
  batch_id: string;
  row: number;
  state: RowState;
  answer: string | null;
  problem: string | null;
  /** Bits; see contract/src/marks.ts. */
  marks: Generated<number>;
  /** Null: the price of the batch. */
  charge: Generated<number | null>;
  /** How long the answer took; only of a preview. */
  milliseconds: Generated<number | null>;
  judgement: Generated<Judgement | null>;
  note: Generated<string | null>;
  correction: Generated<string | null>;
}

/** Why a row failed before it was retried. */
export interface EarlierProblemTable {
  batch_id: string;
  row: number;
  problem: string;
}

export interface SinglePromptTable extends CountedTokens {
  id: string;
  user_id: string;
  actor_id: string;
  template: string;
  /** The chosen model; null for a batch. */
  model: Generated<string | null>;
  batch_id: string | null;
  sheet_name: string | null;
  rows: number;
  state: SinglePromptState;
  reserved: Generated<number>;
  charged: Generated<number>;
  answer: string | null;
  problem: string | null;
  ask_key: string | null;
  asked_at: Instant;
}

/** What the answers of a day, a model and a client cost. */
export interface CostSumTable {
  /** In UTC; a batch counts on the day of its start. */
  day: ColumnType<Date, string>;
  model: string;
  user_id: string;
  answers: number;
  submissions: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  /** In trillionths of the currency. */
  cost: string;
  unknown_costs: number;
}

export interface CooldownTable {
  model: string;
  until: Instant;
}

export interface ModelFormatTable {
  provider: string;
  model: string;
  finding: FormatFinding;
  found_at: Instant;
}

/** Providers that operators have added to the one of the environment. */
export interface ProviderTable {
  id: string;
  name: string;
  kind: ProviderKind;
  address: string;
  /** See lib/sealed-text.ts. */
  sealed_key: string | null;
  concurrency: number;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  limits_per: Generated<LimitScope>;
  is_enabled: boolean;
  version: Generated<number>;
  created_at: Instant;
}

export interface ModelTable
  extends Omit<
    ProviderModel,
    | 'submissions_per_row'
    | 'version'
    | 'has_flex'
    | 'flex_cost_percent'
    | 'reasoning_efforts'
    | 'requests_per_minute'
    | 'tokens_per_minute'
  > {
  requests_per_minute: Generated<number | null>;
  tokens_per_minute: Generated<number | null>;
  reasoning_efforts: Generated<ReasoningEffort[]>;
  has_flex: Generated<boolean>;
  flex_cost_percent: Generated<number>;
  /** Submissions for one answered row. */
  price: number;
  /** When its fallback answered last because its provider is down; null when it is up. */
  failed_over_at: MaybeInstant;
  version: Generated<number>;
}

/** A former admin of a client gets a refusal that says so; others see no client. */
export interface FormerClientTable {
  client_id: string;
  admin_id: string;
  left_at: Instant;
}

export interface ClientLimitTable {
  user_id: string;
  /** What the client may spend in a calendar month; null for no limit. */
  monthly_limit: number | null;
  low_balance_at: number | null;
  /** When the client and the admin were emailed about the low balance. */
  low_balance_notified_at: MaybeInstant;
}

/** One row when the database was ever a demo. */
export interface DemoMarkTable {
  id: number;
}
