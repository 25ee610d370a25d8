import { globSync, readFileSync } from 'node:fs';
import { type Endpoint, endpoints } from '@rowmill/contract';
import { expect, it } from 'vitest';

/** The calls of the specification, and the body where it lists one. */
const withBody: Record<string, string> = {
  logout: '',
  userList: '',
  getPlans: '',
  listCreditsAvailableForPurchase: '',
  getUserPlan: 'user_id',
  getOrderDetails: 'orderId',
  'stripe/intent': 'plan profile',
  'stripe/creditintent': 'plan profile',
  'emedia/saveVariable': 'variable',
  'emedia/getVariables': '',
  'emedia/askChatGpt': 'question query switchedAs questionWithVariable',
  'emedia/downloadChatGptResponse': 'file',
  'emedia/getProcessedFiles': 'start limit switchedAs search',
  'emedia/playOrPause': 'id status',
  'emedia/recentQuestions': 'switchedAs',
  'emedia/getQuestionsAsked': 'switchedAs',
  'emedia/stopFileProcessing': 'id',
  'emedia/getPaymentStatus': 'order_id',
  'emedia/getAvailableCredits': 'creditUser',
};
const others = `registerUser addClient passwordResetByAdmin sendResetLinkEmail login verifyLink
  resendLink resetPassword changePassword updateCreditCount createOrder fetchUserDetail
  confirmPayment getOrders getPayments userBillingAddress {hash} verifyAndUpdateUserDetails
  buyCredits getUsersPlan emedia/saveFile emedia/setPlan emedia/downloadUploadedCsv/{id}`;
const specified = [...Object.keys(withBody), ...others.split(/\s+/)];

const root = new URL('../../', import.meta.url).pathname;
const code = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !path.includes('.test.'))
  .map((path) => readFileSync(root + path, 'utf8'))
  .join('\n');

it.each(specified)('makes the call %s with the body that the specification lists', (path) => {
  const all = Object.entries(endpoints) as [string, Endpoint][];
  const [name = '', endpoint] = all.find((entry) => entry[1].path === `/api/${path}`) ?? [];
  expect(endpoint?.body?.join(' ')).toBe(withBody[path]);
  // Once in an import and once in use.
  expect(code.match(new RegExp(`\\b${name}\\b`, 'g'))?.length).toBeGreaterThan(1);
});
