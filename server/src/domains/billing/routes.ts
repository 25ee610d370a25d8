import type { Routes } from '../../core/handlers.ts';
import { readOrSaveBillingAddress } from './billing-address.ts';
import { downloadInvoice } from './invoices/invoices.ts';
import {
  claimCredits,
  claimPlan,
  confirmOrder,
  showPaymentStatus,
} from './orders/confirm-order.ts';
import { createCreditIntent, createPlanIntent, createWalletOrder } from './orders/create-order.ts';
import { listOwnOrders, listOwnPayments, showOrder } from './orders/list-orders.ts';
import { resumePayment } from './payments/open-payment.ts';
import { decideReview, listReviews } from './payments/payment-reviews.ts';

export const billingRoutes = {
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
  getReviews: listReviews,
  decideReview,
} satisfies Partial<Routes>;
