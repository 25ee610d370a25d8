import type { Request } from '@playwright/test';

/** The calls whose body the specification lists, by path after /api/, with its fields. */
export const specifiedBodies: Record<string, string> = {
  logout: '',
  userList: '',
  getPlans: '',
  listCreditsAvailableForPurchase: '',
  getUserPlan: 'user_id',
  getOrderDetails: 'orderId',
  'stripe/intent': 'plan, profile',
  'stripe/creditintent': 'plan, profile',
  'emedia/saveVariable': 'variable',
  'emedia/getVariables': '',
  'emedia/askChatGpt': 'question, query, switchedAs, questionWithVariable',
  'emedia/downloadChatGptResponse': 'file',
  'emedia/getProcessedFiles': 'start, limit, switchedAs, search',
  'emedia/playOrPause': 'id, status',
  'emedia/recentQuestions': 'switchedAs',
  'emedia/getQuestionsAsked': 'switchedAs',
  'emedia/stopFileProcessing': 'id',
  'emedia/getPaymentStatus': 'order_id',
  'emedia/getAvailableCredits': 'creditUser',
};

/**
 * What a recorded call of the product sends in its body instead of what the specification lists;
 * null when they agree.
 */
export function wrongBody(request: Request): string | null {
  const call = new URL(request.url()).pathname.replace(/^\/api\//, '');
  const listed = specifiedBodies[call];
  if (request.method() !== 'POST' || listed === undefined) return null;
  const sent = Object.keys(JSON.parse(request.postData() ?? '{}'))
    .sort()
    .join(', ');
  return sent === listed.split(', ').sort().join(', ') ? null : `${call} sent: ${sent}`;
}
