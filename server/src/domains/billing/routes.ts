import type { Routes } from '../../handlers.ts';
import { claimCredits, claimPlan, confirmOrder, showPaymentStatus } from './claim-order.ts';
import { decideReview } from './decide-review.ts';
import { getPaper } from './get-paper.ts';
import { keepBillingAddress } from './keep-billing-address.ts';
import { listReviews } from './list-reviews.ts';
import { openCreditIntent, openPlanIntent, openWalletOrder } from './open-order.ts';
import { resumeOrder } from './resume-payment.ts';
import { listOwnOrders, listOwnPayments, showOrder } from './show-orders.ts';

export const billingRoutes = {
  userBillingAddress: keepBillingAddress,
  createOrder: openWalletOrder,
  stripeIntent: openPlanIntent,
  stripeCreditIntent: openCreditIntent,
  resumePayment: resumeOrder,
  confirmPayment: confirmOrder,
  buyCredits: claimCredits,
  setPlan: claimPlan,
  getPaymentStatus: showPaymentStatus,
  getOrders: listOwnOrders,
  getPayments: listOwnPayments,
  getOrderDetails: showOrder,
  getInvoice: getPaper,
  getReviews: listReviews,
  decideReview,
} satisfies Partial<Routes>;
