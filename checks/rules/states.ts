import {
  batchStates,
  creditPots,
  linkPurposes,
  orderTypes,
  pauseReasons,
  paymentProviders,
  paymentStates,
  questionStates,
  reversalKinds,
  reversalStates,
  roles,
  rowStates,
  sliceStates,
} from '@rowmill/contract';
import { type Finding, lineAt, type Tree } from '../tree.ts';

export const name = 'states';

/** Which of the contract's tables a constraint `check (column in (…))` of a migration must equal, by table.column. */
const tables: Record<string, readonly (string | number)[]> = {
  'users.role_id': Object.values(roles),
  'links.purpose': linkPurposes,
  'credit_entries.from_pot': creditPots,
  'credit_entries.to_pot': creditPots,
  'batches.state': batchStates,
  'batches.pause_reason': pauseReasons,
  'slices.state': sliceStates,
  'results.state': rowStates,
  'questions.state': questionStates,
  'orders.type': orderTypes,
  'orders.provider': paymentProviders,
  'orders.payment_status': paymentStates,
  'payments.provider': paymentProviders,
  'payments.payment_status': paymentStates,
  'reversals.kind': reversalKinds,
  'reversals.state': reversalStates,
  'provider_events.provider': paymentProviders,
};

/** The states that the database admits are those of the contract. */
export function check(tree: Tree): Finding[] {
  return tree
    .filter(({ path }) => /^server\/src\/db\/migrations\/.*\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/check \((\w+) in \(([^)]*)\)\)/gi)].flatMap(
        ({ index, 1: column = '', 2: list = '' }) => {
          const where = `${tableBefore(text, index)}.${column}`;
          return judge(where, list).map((wrong) => ({ path, line: lineAt(text, index), ...wrong }));
        },
      ),
    );
}

function judge(where: string, list: string): { wrong: string; instead: string }[] {
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
