import type { BillingAddress, CreditPot, LinkPurpose, RoleId } from '@rowmill/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** The tables as Kysely sees them. The migrations make them; a test holds the two together. */
export interface Schema {
  users: UserTable;
  sessions: SessionTable;
  links: LinkTable;
  throttles: ThrottleTable;
  idempotency_keys: IdempotencyKeyTable;
  audit_entries: AuditEntryTable;
  credit_accounts: CreditAccountTable;
  credit_entries: CreditEntryTable;
  plans: PlanTable;
  user_plans: UserPlanTable;
  billing_addresses: BillingAddressTable;
}

type Instant = ColumnType<Date, Date, Date>;
type MaybeInstant = ColumnType<Date | null, Date | null | undefined, Date | null>;

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
}

export interface SessionTable {
  id: string;
  user_id: string;
  token_hash: string;
  app_token_hash: string;
  device: string;
  created_at: Instant;
  last_seen_at: Instant;
}

export interface LinkTable {
  id: string;
  user_id: string;
  purpose: LinkPurpose;
  token_hash: string;
  created_at: Instant;
  expires_at: Instant;
  used_at: MaybeInstant;
}

export interface ThrottleTable {
  key: string;
  tries: number;
  resets_at: Instant;
}

export interface IdempotencyKeyTable {
  user_id: string;
  key: string;
  request_hash: string;
  answer: JSONColumnType<Record<string, unknown>, string, string> | null;
  created_at: Instant;
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
  held: Generated<number>;
  spent: Generated<number>;
  owed: Generated<number>;
}

export interface CreditEntryTable {
  id: string;
  at: Instant;
  user_id: string;
  from_pot: CreditPot;
  to_pot: CreditPot;
  amount: number;
  cause: string;
}

export interface PlanTable {
  id: string;
  name: string;
  price_minor: number;
  currency: string;
  period_days: number | null;
  submissions: number;
  features: JSONColumnType<string[]>;
  highlighted: boolean;
  position: number;
}

export interface UserPlanTable {
  id: string;
  user_id: string;
  plan_id: string;
  started_at: Instant;
  ends_at: MaybeInstant;
}

export interface BillingAddressTable {
  user_id: string;
  address: JSONColumnType<BillingAddress>;
}
