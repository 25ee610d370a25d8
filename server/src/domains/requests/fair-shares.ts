import type { EndpointName } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import { recordNow } from '../../core/events.ts';
import { refuse } from '../../core/refusal.ts';
import { importSeconds } from '../../lib/csv/import/sheet-importer.ts';
import { orUndo } from '../../lib/failed-work.ts';
import { type EndTurn, TurnRefused, Turns } from '../../lib/turns.ts';
import { refused } from '../../texts/requests.ts';
import { consumeRateLimit, type RateLimit, rateLimits } from './rate-limits.ts';

interface FairShare {
  /** What is counted, for the docs. */
  counts: string;
  perPerson: number;
  /** How much of all people together may run at once, in one process. */
  total?: number;
  /** How much more of one person waits for a turn. */
  waiting: number;
  /** What the refusal says, and when to try again. Work that is never refused has none. */
  refusal?: { message: string; retryAfterSeconds: number };
  /** How many calls over a longer time. For calls that store something and cost nothing. */
  limit?: RateLimit;
}

const { atOnce: texts } = refused.too_many_requests;

/** The most of one person at once, in each process. A person is the caller, not the client. */
export const fairShares = {
  uploads: {
    counts: 'Uploads, and sheets read again',
    perPerson: 2,
    waiting: 0,
    refusal: { message: texts.uploads(2), retryAfterSeconds: 10 },
  },
  imports: {
    counts: 'Imports of uploaded sheets',
    perPerson: 1,
    total: Object.keys(importSeconds).length,
    waiting: Infinity,
  },
  measures: {
    counts: 'Quotes and previews that read a whole large sheet',
    perPerson: 1,
    total: 2,
    waiting: Infinity,
  },
  streams: {
    counts: 'Event streams',
    perPerson: 8,
    waiting: 0,
    refusal: { message: texts.streams(8), retryAfterSeconds: 15 },
  },
  downloads: {
    counts: 'Downloads',
    perPerson: 3,
    waiting: 0,
    refusal: { message: texts.downloads(3), retryAfterSeconds: 10 },
  },
  exports: {
    counts: 'Exports of own data',
    perPerson: 1,
    waiting: 0,
    refusal: { message: texts.exports, retryAfterSeconds: 10 },
  },
  searches: {
    counts: 'Searches, sorted or filtered clients, and filtered, sorted or counted rows of a batch',
    perPerson: 1,
    total: 4,
    waiting: 5,
    refusal: { message: texts.searches, retryAfterSeconds: 2 },
  },
  rows: {
    counts: 'Pages of rows',
    perPerson: 1,
    total: 4,
    waiting: 50,
    refusal: { message: texts.lists, retryAfterSeconds: 2 },
  },
  lists: {
    counts: 'Other pages of a list',
    perPerson: 4,
    waiting: 50,
    refusal: { message: texts.lists, retryAfterSeconds: 2 },
  },
  quotes: {
    counts: 'Quotes and starts of batches',
    perPerson: 3,
    waiting: 200,
    refusal: { message: texts.quotes, retryAfterSeconds: 2 },
  },
  previews: {
    counts: 'Previews',
    perPerson: 4,
    waiting: 20,
    refusal: { message: texts.previews, retryAfterSeconds: 5 },
  },
  prompts: {
    counts: 'Single prompts',
    perPerson: 32,
    waiting: 200,
    refusal: { message: texts.prompts, retryAfterSeconds: 5 },
  },
  judgements: {
    counts: 'Judgements of answers',
    perPerson: 1,
    total: 2,
    waiting: 50,
    refusal: { message: texts.calls, retryAfterSeconds: 2 },
  },
  changes: {
    counts: 'Changes',
    perPerson: 6,
    waiting: 210,
    refusal: { message: texts.calls, retryAfterSeconds: 1 },
    limit: rateLimits.changePerPerson,
  },
  // Counted here: a refused one with an idempotency key takes back what its transaction counted.
  invitations: {
    counts: 'Invitations',
    perPerson: 6,
    waiting: 210,
    refusal: { message: texts.calls, retryAfterSeconds: 1 },
    limit: rateLimits.invitationPerAdmin,
  },
  calls: {
    counts: 'All other calls of a signed-in person',
    perPerson: 6,
    waiting: 210,
    refusal: { message: texts.calls, retryAfterSeconds: 1 },
  },
} as const satisfies Record<string, FairShare>;

export type ShareName = keyof typeof fairShares;
type RefusingShare = Exclude<ShareName, 'imports' | 'measures'>;

/** Null for calls without a signed-in person, which have rate limits for each network. */
type ShareOf = RefusingShare | null | ((request: Record<string, unknown>) => RefusingShare);

const searchOrList: ShareOf = ({ search }) => (search === '' ? 'lists' : 'searches');
const searchOrSort: ShareOf = ({ search, filter, sort }) =>
  search === '' && !filter && sort === 'newest' ? 'lists' : 'searches';

/** The share that each call counts towards. */
export const shareOfCall: Record<EndpointName, ShareOf> = {
  registerUser: null,
  login: null,
  verifyLink: null,
  resendLink: null,
  sendResetLinkEmail: null,
  resetPassword: null,
  changePassword: 'changes',
  logout: 'calls',
  addClient: 'invitations',
  passwordResetByAdmin: 'changes',
  withdrawInvitation: 'changes',
  userList: searchOrSort,
  setClientLimits: 'changes',
  getActivity: 'lists',
  getPeople: searchOrList,
  setRole: 'changes',
  moveClient: 'changes',
  setSuspended: 'changes',
  getAuditLog: searchOrList,
  getInvariants: 'searches',
  getOverview: 'lists',
  getReviews: searchOrList,
  decideReview: 'changes',
  fetchUserDetail: 'calls',
  verifyAndUpdateUserDetails: 'changes',
  revokeSession: 'changes',
  exportUserData: 'exports',
  deleteUserAccount: 'calls',
  getPlans: null,
  getUserPlan: 'calls',
  getUsersPlan: 'calls',
  setPlan: 'changes',
  getCatalogue: 'calls',
  savePlan: 'changes',
  savePack: 'changes',
  savePricing: 'changes',
  getCatalogueHistory: 'lists',
  listCreditsAvailableForPurchase: 'calls',
  updateCreditCount: 'changes',
  getAvailableCredits: ({ can_take_back }) => (can_take_back ? 'lists' : 'calls'),
  getUsage: 'lists',
  createOrder: 'calls',
  stripeIntent: 'calls',
  stripeCreditIntent: 'calls',
  resumePayment: 'changes',
  confirmPayment: 'calls',
  buyCredits: 'changes',
  getPaymentStatus: 'calls',
  getOrders: searchOrList,
  getPayments: searchOrList,
  getOrderDetails: 'calls',
  userBillingAddress: 'changes',
  openEmailLink: null,
  getInvoice: 'downloads',
  downloadInvoiceList: 'exports',
  saveFile: 'uploads',
  listFiles: searchOrList,
  deleteFile: 'changes',
  getFile: 'rows',
  reviseFile: 'uploads',
  getSheetView: 'calls',
  changeSheetView: 'changes',
  saveVariable: 'changes',
  getVariables: 'calls',
  getModels: 'calls',
  getCosts: 'lists',
  getProviders: 'calls',
  saveProvider: 'changes',
  deleteProvider: 'changes',
  saveModel: 'changes',
  testProvider: 'calls',
  askChatGpt: ({ query }) => {
    const { file, start, preview } = (query ?? {}) as Record<string, unknown>;
    if (!file) return 'prompts';
    return preview && !start ? 'previews' : 'quotes';
  },
  recentQuestions: 'lists',
  getQuestionsAsked: searchOrList,
  getProcessedFiles: searchOrList,
  getBatch: 'calls',
  getRows: ({ search = '', filter = 'all', conditions = [], sort, count }) => {
    const isSearch = search !== '' || filter !== 'all' || sort || count;
    return isSearch || (conditions as unknown[]).length > 0 ? 'searches' : 'rows';
  },
  playOrPause: 'changes',
  stopFileProcessing: 'calls',
  retryFailed: 'changes',
  changeBatchOptions: 'changes',
  getNotifications: 'calls',
  readNotifications: 'calls',
  judgeAnswers: 'judgements',
  renameBatch: 'changes',
  deleteBatch: 'changes',
  downloadChatGptResponse: 'downloads',
  downloadUploadedCsv: 'downloads',
  events: 'streams',
};

/** Hands out turns for the calls of one process. */
export class FairShares {
  readonly #turns = new Map<RefusingShare, Turns>();

  /** Resolves when the call may begin. Refuses when the person does too much or has left. */
  async take(
    ctx: Context,
    call: { share: RefusingShare; person: string; signal?: AbortSignal },
  ): Promise<EndTurn> {
    const { share, person, signal } = call;
    const { limit }: FairShare = fairShares[share];
    try {
      const endTurn = await this.#turnsFor(share).take(person, signal);
      if (limit) await orUndo(consumeRateLimit(ctx, limit, person), endTurn);
      return endTurn;
    } catch (error) {
      if (!(error instanceof TurnRefused)) throw error;
      if (!signal?.aborted) recordNow(ctx, 'rate_limited', { limit: share, user_id: person });
      refuse('too_many_requests', fairShares[share].refusal);
    }
  }

  #turnsFor(share: RefusingShare): Turns {
    const turns = this.#turns.get(share) ?? new Turns(fairShares[share]);
    this.#turns.set(share, turns);
    return turns;
  }
}

export function shareOf(name: EndpointName, request: Record<string, unknown>) {
  const share = shareOfCall[name];
  return typeof share === 'function' ? share(request) : share;
}
