import {
  can,
  moveClient,
  nameOf,
  type PersonSummary,
  roles,
  setRole,
  setSuspended,
  updateCreditCount,
} from '@rowmill/contract';
import { largeAmount } from '../../entities/credits/balance.ts';
import { formatNumber } from '../../lib/format.ts';
import { InvalidFields, type Send, type Values } from '../../lib/hooks/use-form.ts';
import { wholeNumberIn } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/operators.ts';

export type Change = 'adjust' | 'move' | 'changeRole' | 'suspend';

export function labelOf(change: Change, { role_id, suspended_at }: PersonSummary): string {
  return {
    adjust: texts.changeBalance,
    move: texts.moveClient,
    changeRole: can(role_id, 'manageClients') ? texts.makeClient : texts.makeAdmin,
    suspend: suspended_at ? texts.liftSuspension : texts.suspend,
  }[change];
}

type Ask = (question: ReturnType<typeof texts.confirmSuspension>) => Promise<boolean>;

/** Checks the fields, asks before a dangerous change, makes it and returns the message. */
export async function makeChange(
  person: PersonSummary,
  { change, values, send, ask }: { change: Change; values: Values; send: Send; ask: Ask },
): Promise<string | undefined> {
  const { id: user_id, role_id, suspended_at, admin } = person;
  const reason = values.reason?.trim() ?? '';
  if (!reason) throw new InvalidFields({ reason: texts.reasonMissing });
  const leaving = admin && texts.confirmLeaving({ person: nameOf(person), admin: admin.name });
  if (change === 'move') {
    const admin_id = values.admin || null;
    if (leaving && admin_id !== admin.id) await assertConfirmed(ask, leaving);
    return (await send(moveClient, { user_id, admin_id, reason })).message;
  }
  if (change === 'changeRole') {
    const isAdmin = can(role_id, 'manageClients');
    const next = isAdmin ? roles.client : roles.admin;
    const loss = isAdmin ? texts.confirmMakeClient(nameOf(person)) : leaving;
    if (loss) await assertConfirmed(ask, loss);
    return (await send(setRole, { user_id, role_id: next, reason })).message;
  }
  if (change === 'suspend') {
    if (!suspended_at) await assertConfirmed(ask, texts.confirmSuspension(nameOf(person)));
    return (await send(setSuspended, { user_id, suspended: !suspended_at, reason })).message;
  }
  const amount = wholeNumberIn(values.change);
  if (Number.isNaN(amount)) throw new InvalidFields({ change: texts.notWhole });
  if (Math.abs(amount) >= largeAmount)
    await assertConfirmed(
      ask,
      texts.confirmAmount({ person: nameOf(person), submissions: formatNumber(amount) }),
    );
  const { creditsAvailable } = await send(updateCreditCount, { user_id, change: amount, reason });
  return texts.nowHas({ person: person.first_name, submissions: formatNumber(creditsAvailable) });
}

/** Without confirmation nothing is sent, and the fields stay as they are. */
async function assertConfirmed(ask: Ask, question: Parameters<Ask>[0]): Promise<void> {
  if (!(await ask(question))) throw new InvalidFields({});
}
