import { roleName } from '@rowmill/contract';
import { formatNumber, formatSubmissions } from './numbers.ts';
import { withArticle } from './operators.ts';

type Detail = Record<string, unknown>;

const number = (value: unknown) => (typeof value === 'number' ? formatNumber(value) : '?');
const submissions = (value: unknown) =>
  typeof value === 'number' ? formatSubmissions(value) : '? submissions';
const because = ({ reason }: Detail) => (typeof reason === 'string' && reason ? `: ${reason}` : '');
/** Names are known while the batch or the sheet exists. */
const batch = ({ batchName }: Detail) =>
  typeof batchName === 'string' ? `the batch “${batchName}”` : 'a batch';
const sheet = ({ sheetName }: Detail) =>
  typeof sheetName === 'string' ? `the sheet “${sheetName}”` : 'a sheet';
/** Names are known while the admin exists. */
const newAdmin = ({ to, newAdminName }: Detail) =>
  to === null ? ' to no one' : typeof newAdminName === 'string' ? ` to ${newAdminName}` : '';
const limit = (value: unknown) => (value === null ? 'none' : number(value));

/** The fields of providers and models. */
const fieldNames: Record<string, string> = {
  name: 'name',
  kind: 'protocol',
  address: 'address',
  sealed_key: 'key',
  concurrency: 'calls at once',
  requests_per_minute: 'requests per minute',
  tokens_per_minute: 'tokens per minute',
  limits_per: 'what limits count',
  is_enabled: 'in use',
  provider_id: 'provider',
  asked_as: 'name at the provider',
  label: 'label',
  price: 'price in submissions',
  price_tokens: 'tokens for this price',
  answer_tokens: 'maximum answer length',
  input_cost: 'cost of input tokens',
  cached_cost: 'cost of cached tokens',
  output_cost: 'cost of output tokens',
  flex_cost_percent: 'cost at the flex tier',
  has_flex: 'flex tier',
  options: 'options',
  reasoning_efforts: 'reasoning efforts',
  offered_to: 'offered to',
  fallback: 'fallback',
  position: 'position',
};

/** One field, with its values before and after if they can be shown. */
export type FieldChange = [field: string] | [field: string, before: unknown, after: unknown];

/** Costs are in millionths per million tokens. */
function showValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(' and ');
  if (typeof value !== 'number') return `“${value}”`;
  if (field === 'flex_cost_percent') return `${value}%`;
  return field.endsWith('_cost') ? (value / 1e6).toFixed(2) : formatNumber(value);
}

/** An entry of an older version has no changes. */
function changesOf({ changes }: Detail): string {
  if (!Array.isArray(changes) || changes.length === 0) return '';
  const texts = (changes as FieldChange[]).map(([field, ...values]) => {
    const [before, after] = values.map((value) => showValue(field, value));
    const name = fieldNames[field] ?? field;
    return after === undefined ? `${name} changed` : `${name} from ${before} to ${after}`;
  });
  return `: ${texts.join('; ')}`;
}

/**
 * What the audit log records: changes of security, role or credits, and acts for another person.
 * Each text continues a person's name. The keys are stored in the database.
 */
export const acts = {
  password_changed: () => 'changed the password',
  password_reset: () => 'set a new password with an email link',
  password_reset_by_admin: () => 'signed all devices out and sent a link to set a new password',
  address_change_asked: () => 'asked to change the email address',
  address_changed: () => 'changed the email address',
  address_verified: () => 'verified the email address',
  profile_changed: () => 'changed the profile',
  billing_address_changed: () => 'changed the billing address',
  session_revoked: () => 'signed devices out',
  client_invited: () => 'sent the invitation',
  invitation_withdrawn: () => 'withdrew the invitation',
  client_limits_set: ({ monthly_limit, low_balance_at }) =>
    `set the monthly limit to ${limit(monthly_limit)} and the low-balance alert to ${limit(low_balance_at)}`,
  client_moved: (detail) =>
    `changed the manager of the account${newAdmin(detail)}${because(detail)}`,
  credits_given: (detail) => `gave ${submissions(detail.amount)}${because(detail)}`,
  credits_taken_back: (detail) => `took ${submissions(detail.amount)} back${because(detail)}`,
  credits_adjusted: (detail) =>
    `changed the balance by ${submissions(detail.change)}${because(detail)}`,
  // Older entries name the plan by its id alone.
  plan_taken: ({ plan, name = plan }) => `chose the plan “${name}”`,
  order_made: ({ description }) => `ordered ${description}`,
  payment_begun_anew: ({ description }) => `restarted the payment for ${description}`,
  order_paid: ({ description }) => `paid for ${description}`,
  order_reversed: (detail) =>
    `had a payment refunded or disputed, which took back ${submissions(detail.submissions)}`,
  order_restored: (detail) =>
    `got back ${submissions(detail.submissions)}, because a payment stands`,
  payment_accepted: (detail) => `accepted a payment that did not match its order${because(detail)}`,
  payment_refused: (detail) => `rejected a payment that did not match its order${because(detail)}`,
  payment_given_back: (detail) => `returned a rejected payment another way${because(detail)}`,
  provider_saved: (detail) => `saved the provider “${detail.provider}”${changesOf(detail)}`,
  provider_deleted: ({ provider }) => `deleted the provider “${provider}”`,
  model_saved: (detail) => `saved the model “${detail.model}”${changesOf(detail)}`,
  sheet_uploaded: (detail) => `uploaded ${sheet(detail)}`,
  sheet_revised: (detail) => `changed how ${sheet(detail)} is read`,
  sheet_deleted: () => 'deleted a sheet',
  variable_changed: () => 'changed a variable',
  question_asked: () => 'asked a single prompt',
  rows_tried: ({ batchName }) =>
    `tried rows of ${typeof batchName === 'string' ? `“${batchName}”` : 'a sheet'}`,
  batch_started: (detail) => `started ${batch(detail)}`,
  batch_played: (detail) => `resumed ${batch(detail)}`,
  batch_paused: (detail) => `paused ${batch(detail)}`,
  batch_stopped: (detail) => `stopped ${batch(detail)}`,
  batch_retried: (detail) => `retried the failed rows of ${batch(detail)}`,
  batch_options_changed: (detail) => `changed the options of ${batch(detail)}`,
  answers_judged: (detail) => `judged answers of ${batch(detail)}`,
  batch_renamed: (detail) => `renamed ${batch(detail)}`,
  batch_deleted: () => 'deleted a batch',
  account_deleted: () => 'deleted the account',
  operator_made: () => 'became an operator by command',
  catalogue_changed: ({ item, name }) => `changed what is for sale: the ${item} “${name}”`,
  role_changed: (detail) =>
    `made the account ${withArticle(roleName(Number(detail.role_id)) ?? 'client')}’s${because(detail)}`,
  person_suspended: (detail) => `suspended the account${because(detail)}`,
  person_unsuspended: (detail) => `lifted the suspension${because(detail)}`,
} as const satisfies Record<string, (detail: Detail) => string>;

export type Act = keyof typeof acts;

const plainTexts = Object.entries(acts).map(([act, describe]) => {
  const text = (describe as (detail: Detail) => string)({}).replaceAll('undefined', '');
  return [act, ` ${text}`.toLowerCase()] as const;
});

/** The acts that read like this, from the start of a word, and those that are stored so. */
export function findActs(search: string): string[] {
  const text = search.trim().toLowerCase();
  const key = text.replaceAll(' ', '_');
  return plainTexts
    .filter(([act, plain]) => `_${act}`.includes(`_${key}`) || plain.includes(` ${text}`))
    .map(([act]) => act);
}

/** An entry of an older version may have an act that is no longer listed. */
export function describeAct(act: string, detail: Detail): string {
  return Object.hasOwn(acts, act) ? acts[act as Act](detail) : act.replaceAll('_', ' ');
}
