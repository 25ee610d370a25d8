import {
  batchStates,
  creditBuckets,
  formatFindings,
  judgements,
  linkPurposes,
  modelAudiences,
  notificationKinds,
  orderTypes,
  pauseReasons,
  paymentMethods,
  paymentStates,
  providerKinds,
  reversalKinds,
  reversalStates,
  roles,
  rowStates,
  singlePromptStates,
  sliceStates,
} from '@rowmill/contract';
import { type Finding, lineAt, type Tree } from '../tree.ts';

export const name = 'states';

/**
 * Which list of the contract a constraint `check (column in (…))` of a migration must equal, by
 * table.column; 0013 renamed the tables links and questions.
 */
const tables: Record<string, readonly (string | number)[]> = {
  'users.role_id': Object.values(roles),
  'links.purpose': linkPurposes,
  'credit_entries.from_bucket': creditBuckets,
  'credit_entries.to_bucket': creditBuckets,
  'batches.state': batchStates,
  'batches.pause_reason': pauseReasons,
  'slices.state': sliceStates,
  'results.state': rowStates,
  'results.judgement': judgements,
  'questions.state': singlePromptStates,
  'orders.type': orderTypes,
  'orders.provider': paymentMethods,
  'orders.payment_status': paymentStates,
  'payments.provider': paymentMethods,
  'payments.payment_status': paymentStates,
  'reversals.kind': reversalKinds,
  'reversals.state': reversalStates,
  'notifications.kind': notificationKinds,
  'model_formats.finding': formatFindings,
  'providers.kind': providerKinds,
  'models.offered_to': modelAudiences,
  'provider_events.provider': paymentMethods,
};

/** Constraints of earlier migrations that a later one replaced. */
const replaced = ['credit_entries.from_pot', 'credit_entries.to_pot'];

/** The database allows the states of the contract. The last constraint of a column counts. */
export function check(tree: Tree): Finding[] {
  const last = new Map<string, { path: string; line: number; list: string }>();
  for (const { path, text } of tree) {
    if (!/^server\/src\/db\/migrations\/.*\.sql$/.test(path)) continue;
    for (const { index, 1: column, 2: list = '' } of text.matchAll(
      /check \((\w+) in \(([^)]*)\)\)/gi,
    ))
      last.set(`${tableBefore(text, index)}.${column}`, { path, line: lineAt(text, index), list });
  }
  return [...last].flatMap(([where, { path, line, list }]) =>
    compare(where, list).map((wrong) => ({ path, line, ...wrong })),
  );
}

function compare(where: string, list: string): { wrong: string; instead: string }[] {
  if (replaced.includes(where)) return [];
  const contract = tables[where];
  if (!contract)
    return [
      {
        wrong: `${where} has states that no table names`,
        instead: 'map it in checks/rules/states.ts to its table in contract/src/states.ts',
      },
    ];
  const admitted = list.split(',').map((value) => value.trim().replace(/^'|'$/g, ''));
  if (sorted(admitted) === sorted(contract.map(String))) return [];
  return [
    {
      wrong: `${where} admits ${admitted.join(', ')}`,
      instead: `the contract says ${contract.join(', ')}: migrate the constraint`,
    },
  ];
}

const sorted = (values: readonly string[]) => [...values].sort().join(' ');

function tableBefore(text: string, offset: number): string {
  return (
    [...text.slice(0, offset).matchAll(/(?:create|alter) table (?:if not exists )?(\w+)/gi)].at(
      -1,
    )?.[1] ?? ''
  );
}
