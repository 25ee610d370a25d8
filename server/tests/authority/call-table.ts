import type { EndpointName } from '@rowmill/contract';

/** What a request can name. */
export interface Belongings {
  id: string;
  sheet: string;
  batch: string;
}

interface Row {
  /** A request with which the owner gets access. */
  ask: (own: Belongings) => Record<string, unknown>;
  /** What the owner must have before. */
  needs?: 'sheet' | 'batch';
  /** The request names something that does not exist, so callers with access get 404. */
  absent?: true;
  /** Its user_id must name a client of the caller; every other user is unknown. */
  target?: true;
}

let number = 0;
const address = () => `someone-${++number}@example.test`;
const unknown = '01890000-0000-7000-8000-000000000000';
const wrongPassword = 'not the password 99';
const newPassword = 'slow harbour 16 copper';
const names = { first_name: 'Ned', last_name: 'Newcomer' };
const reason = 'For the table';
const ofSale = { id: unknown, version: 1, name: 'Nothing', position: 1, is_sold: true };
const nothing = { ask: () => ({}) } satisfies Row;
const ofOrder = { ask: () => ({ order_id: unknown }), absent: true } satisfies Row;
const ofPerson = (more: object) =>
  ({ ask: ({ id }: Belongings) => ({ user_id: id, reason, ...more }) }) satisfies Row;
const ofBatch = { ask: ({ batch }: Belongings) => ({ id: batch }), needs: 'batch' } satisfies Row;
const ofSheet = { ask: ({ sheet }: Belongings) => ({ id: sheet }), needs: 'sheet' } satisfies Row;

const sheetView = {
  hidden: ['sheet 1'],
  order: [],
  widths: { 'sheet 0': 320 },
  isWrapped: true,
  isFrozen: false,
};

export const providerToSave = {
  name: 'Second provider',
  kind: 'openai',
  address: 'http://127.0.0.1:9/v1',
  concurrency: 4,
  is_enabled: false,
} as const;
export const modelToSave = {
  name: 'second-model',
  provider_id: null,
  asked_as: 'second-model',
  label: 'Second model',
  submissions_per_row: 1,
  input_cost: null,
  cached_cost: null,
  output_cost: null,
  options: [],
  offered_to: 'none',
  fallback: null,
  position: 1,
} as const;

/** One row for every call. Who may make it is read from the contract. */
export const callTable: Record<EndpointName, Row> = {
  registerUser: { ask: () => ({ ...names, email: address(), password: newPassword }) },
  login: { ask: () => ({ email: address(), password: wrongPassword }) },
  verifyLink: { ask: () => ({ token: unknown }) },
  resendLink: { ask: () => ({ email: address() }) },
  sendResetLinkEmail: { ask: () => ({ email: address() }) },
  resetPassword: { ask: () => ({ token: unknown, password: newPassword }) },
  changePassword: { ask: () => ({ current_password: wrongPassword, password: newPassword }) },
  logout: nothing,
  addClient: { ask: () => ({ ...names, email: address() }) },
  passwordResetByAdmin: { ask: ({ id }) => ({ user_id: id }), target: true },
  withdrawInvitation: { ask: ({ id }) => ({ user_id: id }), target: true },
  userList: nothing,
  setClientLimits: { ask: ({ id }) => ({ user_id: id, monthly_limit: 100 }), target: true },
  getActivity: nothing,
  getPeople: nothing,
  setRole: ofPerson({ role_id: 2 }),
  moveClient: ofPerson({ admin_id: null }),
  setSuspended: ofPerson({ suspended: true }),
  getAuditLog: nothing,
  getInvariants: nothing,
  getOverview: nothing,
  getReviews: nothing,
  decideReview: { ask: () => ({ payment_id: unknown, decision: 'refuse', reason }), absent: true },
  fetchUserDetail: nothing,
  verifyAndUpdateUserDetails: { ask: () => ({ first_name: 'Ned' }) },
  revokeSession: { ask: () => ({ session_id: unknown }), absent: true },
  exportUserData: nothing,
  deleteUserAccount: { ask: () => ({ current_password: wrongPassword }) },
  getPlans: nothing,
  getUserPlan: nothing,
  getUsersPlan: nothing,
  setPlan: { ask: () => ({ id: 'year' }) },
  getCatalogue: nothing,
  savePlan: {
    ask: () => ({
      ...ofSale,
      price_minor: 500,
      period_days: 30,
      submissions: 1,
      features: [],
      highlighted: false,
    }),
    absent: true,
  },
  savePack: { ask: () => ({ ...ofSale, count: 1, rate_minor: 500 }), absent: true },
  savePricing: {
    ask: () => ({ version: 1, currency: 'GBP', tax_name: 'VAT', basis_points: 2000 }),
  },
  getCatalogueHistory: nothing,
  listCreditsAvailableForPurchase: nothing,
  updateCreditCount: { ask: ({ id }) => ({ user_id: id, change: 1, reason }), target: true },
  getAvailableCredits: nothing,
  getUsage: { ask: () => ({ days: ['2026-01-01T00:00:00.000Z'] }) },
  createOrder: { ask: () => ({ type: 'plan', plan: { id: 'year' } }) },
  stripeIntent: { ask: () => ({ plan: { id: 'year' } }) },
  stripeCreditIntent: { ask: () => ({ plan: [{ id: 'pack', quantity: 1, count: 1, rate: 1 }] }) },
  resumePayment: ofOrder,
  confirmPayment: ofOrder,
  buyCredits: ofOrder,
  getPaymentStatus: ofOrder,
  getOrders: nothing,
  getPayments: nothing,
  getOrderDetails: { ask: () => ({ orderId: unknown }), absent: true },
  userBillingAddress: nothing,
  openEmailLink: { ask: () => ({ hash: unknown }), absent: true },
  downloadInvoiceList: { ask: () => ({ from: '2026-01-01', to: '2026-01-31' }) },
  getInvoice: { ask: () => ({ orderId: unknown }), absent: true },
  saveFile: nothing,
  listFiles: nothing,
  deleteFile: ofSheet,
  getFile: ofSheet,
  getSheetView: ofSheet,
  changeSheetView: {
    ask: ({ sheet }) => ({ id: sheet, view: sheetView }),
    needs: 'sheet',
  },
  reviseFile: { ask: ({ sheet }) => ({ id: sheet, header: false }), needs: 'sheet' },
  saveVariable: { ask: () => ({ variable: { name: 'tone', value: 'kind' } }) },
  getVariables: nothing,
  getModels: nothing,
  getCosts: { ask: () => ({ by: 'day', days: 7 }) },
  getProviders: nothing,
  saveProvider: { ask: () => ({ ...providerToSave, id: unknown, version: 1 }), absent: true },
  deleteProvider: { ask: () => ({ id: unknown }), absent: true },
  saveModel: { ask: () => ({ ...modelToSave, version: 1 }), absent: true },
  testProvider: { ask: () => ({ id: unknown }), absent: true },
  askChatGpt: {
    ask: ({ sheet }) => ({ query: { file: sheet, quote: true }, question: 'Say {{Prompt}}' }),
    needs: 'sheet',
  },
  recentQuestions: nothing,
  getQuestionsAsked: nothing,
  getProcessedFiles: nothing,
  getBatch: ofBatch,
  getRows: ofBatch,
  playOrPause: { ask: ({ batch }) => ({ id: batch, status: 'play' }), needs: 'batch' },
  stopFileProcessing: ofBatch,
  retryFailed: ofBatch,
  changeBatchOptions: ofBatch,
  judgeAnswers: {
    ask: ({ batch }) => ({ id: batch, rows: [0], judgement: 'right' }),
    needs: 'batch',
  },
  renameBatch: { ask: ({ batch }) => ({ id: batch, name: 'renamed.csv' }), needs: 'batch' },
  deleteBatch: ofBatch,
  downloadChatGptResponse: { ask: ({ batch }) => ({ file: batch }), needs: 'batch' },
  downloadUploadedCsv: ofSheet,
  getNotifications: nothing,
  readNotifications: nothing,
  events: nothing,
};

/** Every other call must be seen writing, by the tests of the audit log. */
export const onlyReads = (name: EndpointName) =>
  /^(get|list|fetch|export)/.test(name) ||
  ['downloadInvoiceList', 'openEmailLink', 'testProvider', 'userList'].includes(name);
