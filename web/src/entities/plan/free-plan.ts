import { type AnswerOf, setPlan } from '@rowmill/contract';
import { call } from '../../lib/api/api-client.ts';
import { isActingAsSelf, readIdentity, subjectId } from '../../lib/session.ts';
import { storage } from '../../lib/storage.ts';

/** Starts a free plan and ends the choice. A client's plan does not become the admin's own. */
export async function startFreePlan(plan: { id: string }): Promise<AnswerOf<typeof setPlan>> {
  const answer = await call(setPlan, { ...plan, user_id: subjectId() });
  storage.remove('selectedPlan');
  storage.remove('navigateToBilling');
  if (isActingAsSelf(readIdentity())) storage.write('userPlan', answer.plan);
  return answer;
}
