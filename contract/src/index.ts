import type { infer as Infer } from 'zod/mini';
import * as batchActions from './batches/actions.ts';
import * as batches from './batches/batches.ts';
import * as progress from './batches/progress.ts';
import * as results from './batches/results.ts';
import * as billing from './billing.ts';
import * as catalogue from './catalogue.ts';
import * as clients from './clients.ts';
import * as credits from './credits.ts';
import type { Endpoint } from './endpoint.ts';
import * as identity from './identity.ts';
import * as costs from './models/costs.ts';
import * as offeredModels from './models/offered-models.ts';
import * as providers from './models/providers.ts';
import * as operators from './operators.ts';
import * as plans from './plans.ts';
import * as prompts from './prompts.ts';
import * as rows from './rows.ts';
import * as sheets from './sheets.ts';

export {
  type AnswerColumn,
  type AnswerType,
  answerTypes,
  asColumn,
  maximumOutputs,
  needsOptions,
  type Output,
  outputNames,
  outputs,
} from './answers/columns.ts';
export { cellsOf, describeType, readAnswer, splitAnswer } from './answers/read-answer.ts';
export * from './answers/tokens.ts';
export { type Cell, cellJson, readValue, withoutGroups } from './answers/values.ts';
export * from './batches/actions.ts';
export * from './batches/batches.ts';
export * from './batches/progress.ts';
export * from './batches/results.ts';
export * from './billing.ts';
export * from './catalogue.ts';
export * from './clients.ts';
export * from './credits.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export {
  countLimit,
  email,
  maximumQuantity,
  normalised,
  page,
  passwordLength,
  switchedAs,
} from './fields.ts';
export * from './identity.ts';
export * from './marks.ts';
export * from './models/costs.ts';
export * from './models/model-options.ts';
export * from './models/offered-models.ts';
export * from './models/price.ts';
export * from './models/providers.ts';
export * from './operators.ts';
export * from './permissions.ts';
export * from './plans.ts';
export * from './prompts.ts';
export * from './rows.ts';
export * from './settings.ts';
export * from './sheets.ts';
export * from './states.ts';
export * from './test-cards.ts';
export { byteOrderMark, type CsvStyle, csvCells, csvLine } from './write-csv.ts';

/** Every call by name, for routes, docs and tests. The browser imports single calls. */
export const endpoints = {
  registerUser: identity.registerUser,
  login: identity.login,
  verifyLink: identity.verifyLink,
  resendLink: identity.resendLink,
  sendResetLinkEmail: identity.sendResetLinkEmail,
  resetPassword: identity.resetPassword,
  changePassword: identity.changePassword,
  logout: identity.logout,
  addClient: clients.addClient,
  passwordResetByAdmin: clients.passwordResetByAdmin,
  withdrawInvitation: clients.withdrawInvitation,
  userList: clients.userList,
  setClientLimits: clients.setClientLimits,
  getActivity: clients.getActivity,
  getPeople: operators.getPeople,
  setRole: operators.setRole,
  moveClient: operators.moveClient,
  setSuspended: operators.setSuspended,
  getAuditLog: operators.getAuditLog,
  getInvariants: operators.getInvariants,
  getOverview: operators.getOverview,
  getReviews: operators.getReviews,
  decideReview: operators.decideReview,
  getCosts: costs.getCosts,
  getProviders: providers.getProviders,
  saveProvider: providers.saveProvider,
  deleteProvider: providers.deleteProvider,
  saveModel: providers.saveModel,
  testProvider: providers.testProvider,
  fetchUserDetail: identity.fetchUserDetail,
  verifyAndUpdateUserDetails: identity.verifyAndUpdateUserDetails,
  revokeSession: identity.revokeSession,
  exportUserData: identity.exportUserData,
  deleteUserAccount: identity.deleteUserAccount,
  getPlans: plans.getPlans,
  getUserPlan: plans.getUserPlan,
  getUsersPlan: plans.getUsersPlan,
  setPlan: plans.setPlan,
  getCatalogue: catalogue.getCatalogue,
  savePlan: catalogue.savePlan,
  savePack: catalogue.savePack,
  savePricing: catalogue.savePricing,
  getCatalogueHistory: catalogue.getCatalogueHistory,
  listCreditsAvailableForPurchase: credits.listCreditsAvailableForPurchase,
  updateCreditCount: credits.updateCreditCount,
  getAvailableCredits: credits.getAvailableCredits,
  getUsage: credits.getUsage,
  createOrder: billing.createOrder,
  stripeIntent: billing.stripeIntent,
  stripeCreditIntent: billing.stripeCreditIntent,
  resumePayment: billing.resumePayment,
  confirmPayment: billing.confirmPayment,
  buyCredits: billing.buyCredits,
  getPaymentStatus: billing.getPaymentStatus,
  getOrders: billing.getOrders,
  getPayments: billing.getPayments,
  getOrderDetails: billing.getOrderDetails,
  userBillingAddress: billing.userBillingAddress,
  openEmailLink: identity.openEmailLink,
  getInvoice: billing.getInvoice,
  downloadInvoiceList: billing.downloadInvoiceList,
  saveFile: sheets.saveFile,
  listFiles: sheets.listFiles,
  deleteFile: sheets.deleteFile,
  getFile: sheets.getFile,
  reviseFile: sheets.reviseFile,
  getSheetView: sheets.getSheetView,
  changeSheetView: sheets.changeSheetView,
  saveVariable: prompts.saveVariable,
  getVariables: prompts.getVariables,
  getModels: offeredModels.getModels,
  askChatGpt: batches.askChatGpt,
  recentQuestions: prompts.recentQuestions,
  getQuestionsAsked: prompts.getQuestionsAsked,
  getProcessedFiles: batches.getProcessedFiles,
  getBatch: batches.getBatch,
  getRows: rows.getRows,
  judgeAnswers: results.judgeAnswers,
  playOrPause: batchActions.playOrPause,
  stopFileProcessing: batchActions.stopFileProcessing,
  retryFailed: batchActions.retryFailed,
  changeBatchOptions: batchActions.changeBatchOptions,
  renameBatch: batchActions.renameBatch,
  deleteBatch: batchActions.deleteBatch,
  downloadChatGptResponse: results.downloadChatGptResponse,
  getNotifications: identity.getNotifications,
  readNotifications: identity.readNotifications,
  downloadUploadedCsv: sheets.downloadUploadedCsv,
  events: progress.events,
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
/** What a request holds once it is checked. */
export type CallRequest<N extends EndpointName> = Infer<(typeof endpoints)[N]['request']>;
