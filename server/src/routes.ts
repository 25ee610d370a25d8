import type { Routes } from './core/handlers.ts';
import { deleteAccount, showAccount, showPlan } from './domains/account/account.ts';
import { exportAccount } from './domains/account/export.ts';
import { withdrawInvitation } from './domains/account/withdraw-invitation.ts';
import { listActivity } from './domains/audit/entries.ts';
import { askChat } from './domains/batches/ask-chat.ts';
import { changeOptionsOfBatch } from './domains/batches/lifecycle/change-options.ts';
import { deleteOwnBatch } from './domains/batches/lifecycle/delete.ts';
import { playOrPauseBatch } from './domains/batches/lifecycle/play-pause.ts';
import { renameOwnBatch } from './domains/batches/lifecycle/rename.ts';
import { retryFailedRows } from './domains/batches/lifecycle/retry.ts';
import { stopBatch } from './domains/batches/lifecycle/stop.ts';
import { downloadResults } from './domains/batches/results/download.ts';
import { judgeOwnAnswers } from './domains/batches/results/judge.ts';
import { ProgressFeeds } from './domains/batches/results/progress-stream.ts';
import { listRows } from './domains/batches/results/rows.ts';
import { showUsage } from './domains/batches/usage.ts';
import { listOwnBatches, showBatch } from './domains/batches/views.ts';
import { readOrSaveBillingAddress } from './domains/billing/billing-address.ts';
import { downloadInvoiceList } from './domains/billing/invoices/invoice-list.ts';
import { downloadInvoice } from './domains/billing/invoices/invoices.ts';
import {
  claimCredits,
  claimPlan,
  confirmOrder,
  showPaymentStatus,
} from './domains/billing/orders/confirm-order.ts';
import {
  createCreditIntent,
  createPlanIntent,
  createWalletOrder,
} from './domains/billing/orders/create-order.ts';
import { listOwnOrders, listOwnPayments, showOrder } from './domains/billing/orders/list-orders.ts';
import { resumePayment } from './domains/billing/payments/open-payment.ts';
import { decideReview, listReviews } from './domains/billing/payments/payment-reviews.ts';
import { savePack, savePlan, savePricing } from './domains/catalogue/edit-catalogue.ts';
import { showCatalogue, showHistory } from './domains/catalogue/view-catalogue.ts';
import { listOwnClients, setLimits } from './domains/clients/clients.ts';
import { showCredits, updateCredits } from './domains/clients/credits.ts';
import { inviteClient, resetClientPassword } from './domains/clients/invitations.ts';
import { reviseSheet } from './domains/files/revisions.ts';
import { openOriginal, showSheet } from './domains/files/sheets.ts';
import { deleteOwnSheet, listOwnSheets } from './domains/files/storage.ts';
import { storeSheet } from './domains/files/uploads.ts';
import { showView, storeView } from './domains/files/views.ts';
import { showInvitation } from './domains/identity/accounts/invitations.ts';
import { updateProfile } from './domains/identity/accounts/profile.ts';
import { registerPerson } from './domains/identity/accounts/registration.ts';
import { resendVerification, verifyAddress } from './domains/identity/accounts/verification.ts';
import { changePassword } from './domains/identity/passwords/change.ts';
import { requestPasswordReset, resetPassword } from './domains/identity/passwords/reset.ts';
import { revokeSession } from './domains/identity/sessions/devices.ts';
import { signIn, signOut } from './domains/identity/sessions/sign-in.ts';
import { markNotificationsRead, showNotifications } from './domains/notifications/bell.ts';
import { changeRole, listPeople, moveClient, suspendPerson } from './domains/operators/people.ts';
import { checkInvariants, showAuditLog, showOverview } from './domains/operators/reports.ts';
import { listClientPlans, listOfferedPacks, listOfferedPlans } from './domains/plans/offers.ts';
import { listPromptHistory, listRecentPrompts } from './domains/prompts/history.ts';
import { listModels } from './domains/prompts/models.ts';
import { listOwnVariables, upsertVariable } from './domains/prompts/variables.ts';
import { showCosts } from './domains/providers/costs.ts';
import {
  deleteProvider,
  saveModel,
  saveProvider,
  showProviders,
} from './domains/providers/edit-providers.ts';
import { testProvider } from './domains/providers/test-provider.ts';

/** The use case behind every call of the contract. */
const routes: Omit<Routes, 'events'> = {
  registerUser: registerPerson,
  login: signIn,
  verifyLink: verifyAddress,
  resendLink: resendVerification,
  sendResetLinkEmail: requestPasswordReset,
  resetPassword,
  changePassword,
  logout: signOut,
  verifyAndUpdateUserDetails: updateProfile,
  revokeSession,
  openEmailLink: showInvitation,
  fetchUserDetail: showAccount,
  getUserPlan: showPlan,
  exportUserData: exportAccount,
  deleteUserAccount: deleteAccount,
  addClient: inviteClient,
  userList: listOwnClients,
  passwordResetByAdmin: resetClientPassword,
  withdrawInvitation,
  setClientLimits: setLimits,
  updateCreditCount: updateCredits,
  getPeople: listPeople,
  setRole: changeRole,
  moveClient,
  setSuspended: suspendPerson,
  getAuditLog: showAuditLog,
  getInvariants: checkInvariants,
  getOverview: showOverview,
  getActivity: listActivity,
  getNotifications: showNotifications,
  readNotifications: markNotificationsRead,
  getAvailableCredits: showCredits,
  getPlans: listOfferedPlans,
  listCreditsAvailableForPurchase: listOfferedPacks,
  getUsersPlan: listClientPlans,
  getCatalogue: showCatalogue,
  savePlan,
  savePack,
  savePricing,
  getCatalogueHistory: showHistory,
  userBillingAddress: readOrSaveBillingAddress,
  createOrder: createWalletOrder,
  stripeIntent: createPlanIntent,
  stripeCreditIntent: createCreditIntent,
  resumePayment,
  confirmPayment: confirmOrder,
  buyCredits: claimCredits,
  setPlan: claimPlan,
  getPaymentStatus: showPaymentStatus,
  getOrders: listOwnOrders,
  getPayments: listOwnPayments,
  getOrderDetails: showOrder,
  getInvoice: downloadInvoice,
  downloadInvoiceList,
  getReviews: listReviews,
  decideReview,
  saveFile: storeSheet,
  listFiles: listOwnSheets,
  getFile: showSheet,
  reviseFile: reviseSheet,
  deleteFile: deleteOwnSheet,
  getSheetView: showView,
  changeSheetView: storeView,
  downloadUploadedCsv: openOriginal,
  saveVariable: upsertVariable,
  getVariables: listOwnVariables,
  getModels: listModels,
  recentQuestions: listRecentPrompts,
  getQuestionsAsked: listPromptHistory,
  getCosts: showCosts,
  getProviders: showProviders,
  saveProvider,
  deleteProvider,
  saveModel,
  testProvider,
  askChatGpt: askChat,
  getProcessedFiles: listOwnBatches,
  getBatch: showBatch,
  getRows: listRows,
  judgeAnswers: judgeOwnAnswers,
  getUsage: showUsage,
  playOrPause: playOrPauseBatch,
  stopFileProcessing: stopBatch,
  retryFailed: retryFailedRows,
  changeBatchOptions: changeOptionsOfBatch,
  renameBatch: renameOwnBatch,
  deleteBatch: deleteOwnBatch,
  downloadChatGptResponse: downloadResults,
};

export function createRoutes(): Routes {
  const feeds = new ProgressFeeds();
  return { ...routes, events: async (ctx, acting) => feeds.read(ctx, acting) };
}
