import { submissionCount } from './entities.ts';

// On several pages
export const buyCredits = 'Buy Credits';
export const search = 'Search';
export const invoice = (number: string) => `Invoice ${number}`;
export const creditNote = (number: string) => `Credit note ${number}`;
export const providers = { card: 'Card', wallet: 'Wallet' } as const;
export const submissions = 'Submissions';
export const total = 'Total';
export const withTax = (tax: string) => `with ${tax}`;
export const refunded = 'Refunded';
export const payNow = 'Pay now';

// The states of a payment: what each is called, and what it means for the person
export const paymentLabels = {
  pending: 'Waiting for payment',
  paid: 'Paid',
  failed: 'Failed',
  refunded: 'Refunded',
  disputed: 'Disputed',
  replaced: 'Replaced',
  review: 'In review',
} as const;
export const paymentMeanings = {
  pending: 'This order is not paid yet. You can pay now or later.',
  paid: 'This order is paid. Thank you.',
  failed: 'Nothing was taken. Try again, or go back and pay another way.',
  refunded: 'This order was refunded.',
  disputed:
    'This payment was disputed. What the disputed amount paid for was taken back. It returns if the payment stands.',
  replaced: 'You have already paid for these items in another order. Nothing is due for this one.',
  review:
    'Something about this payment does not match. We are looking into it and will email you. Please do not pay again.',
} as const;

// The cart
export const emptyCartTitle = 'Your cart is empty';
export const emptyCart = 'Choose how many submissions you need, then pay here.';
export const betterPrice = ({ submissions, saved }: { submissions: string; saved: string }) =>
  `Other packs give you ${submissionCount(submissions)} and save you ${saved}.`;
export const swapPacks = 'Swap the packs';
export const foreignCartTitle = 'This cart is not for this account';
export const foreignCart =
  'It was filled for another account. Return to that account to pay for it, or empty it.';
export const emptyTheCart = 'Empty the cart';
export const yourCart = 'Your cart';
export const tableOfPacks = 'Packs in your cart';
export const cartColumns = {
  pack: 'Pack',
  quantity: 'Quantity',
  submissions: 'Submissions',
  price: 'Price',
} as const;
export const quantityOf = (pack: string) => `Quantity of ${pack}`;
export const remove = 'Remove';
export const removeLine = (pack: string) => `Remove ${pack}`;
export const addMore = 'Add more';
export const oldPrices = 'Something in your cart has a new price or is no longer on sale.';
export const showCurrentPrices = 'Show current prices';
export const pricesChanged = 'Prices have changed. Check your cart first.';
export const backToCart = 'Back to the cart';

// The chosen plan
export const billing = 'Billing';
export const accountFirst = 'Create an account first';
export const planNeedsAccount = 'You need an account to buy a plan.';
export const choiceKept = 'Your choice is saved. You return here when you sign in.';
export const registerOrSignIn = 'Register, or sign in.';
export const register = 'Register';
export const signIn = 'Sign in';
export const payingFor = (client: string) =>
  `You are acting for ${client}: you are paying for this client’s plan.`;
export const chooseAnotherPlan = 'Choose another plan';
export const planTerms = ({ submissions, days }: { submissions: string; days: string | null }) =>
  `${submissionCount(submissions)}, added when you pay.${days === null ? '' : ` The plan runs for ${days === '1' ? '1 day' : `${days} days`} from today, or from the end of a plan that is already paid.`} It does not renew automatically.`;
export const backToPlan = 'Back to the plan';
export const nothingToPay = 'Nothing to pay here';
export const adminNeedsNone = 'Admins need no plan.';
export const noneChosen = 'You have not chosen a plan yet.';
export const notOnSale = 'The plan you chose is no longer on sale.';
export const costsNothing = (plan: string) => `${plan} is free, so there is nothing to pay.`;
export const seePlans = 'See the plans';
export const continueLabel = 'Continue';

// Address and way to pay
export const billingAddress = 'Billing address';
export const addressHint =
  'Shown on your invoice. Enter a name or company, address, town and country.';
export const addressNeeds = {
  name: 'Please enter the name for the invoice.',
  line1: 'Please enter the address.',
  city: 'Please enter the town.',
  country: 'Please choose a country.',
} as const;
export const addressIncomplete = 'The billing address is incomplete. Check the marked fields.';
export const payment = 'Payment';
export const summary = 'Summary';
export const howToPay = 'How do you want to pay?';
export const cardMethod = {
  label: 'Card',
  hint: 'Your card details go straight to the card provider.',
} as const;
export const testCardMethod = { label: 'Test card', hint: 'A demo card. No money moves.' } as const;
export const walletMethod = {
  label: 'PayPal',
  hint: 'You pay at PayPal and come back here.',
} as const;
export const testWalletMethod = {
  label: 'Test wallet',
  hint: 'A demo wallet. No money moves.',
} as const;
export const methodMissing = 'Not available on this site.';
export const acceptTerms = 'By paying you accept the {terms}.';
export const terms = 'terms';
export const continueToPayment = (sum: string) => `Continue to payment: ${sum}`;
export const unusableAddress = 'The payment page could not be opened. Please try again.';

// An order on its way
export const yourOrder = 'Your order';
export const includedTax = (tax: string) => `Includes ${tax}`;
export const cameBackUnpaid = 'You came back without paying.';
export const tooOld = 'This order has expired. Please place a new one.';
export const seePaidOrder = 'See the paid order';
export const payNowSum = (sum: string) => `Pay now: ${sum}`;
export const tryAgainSum = (sum: string) => `Try again: ${sum}`;

// A card
export const paidElsewhere =
  'You have already paid for these items in another order. Nothing was charged for this one.';
export const payByCard = 'Pay by card';
export const cardFormLoads = 'The card form is loading…';
export const noCards = 'Card payments are not available on this site.';
export const paySum = (sum: string) => `Pay ${sum}`;
export const cardFormFails = 'The card form could not be loaded. Please try again.';
export const notSucceeded = 'The payment failed. Please try another card.';
export const demoCards = 'This is a demo: these are test cards, and no money moves.';
export const chooseTestCard = 'Choose a test card';
export const cardDeclined = 'The card was declined.';
export const tryAnotherCard = (reason: string) => `${reason} Please try another card.`;
export const demoUnreachable = 'The demo card provider did not respond. Please try again.';
export const demoUnusable = 'The demo card provider sent an unusable answer. Please try again.';

// Waiting for the provider
export const beingChecked = 'Checking your payment';
export const waitingFirst = 'One moment: we are asking the provider about your payment.';
export const waitingLonger = 'The provider has not decided yet. This can take a minute.';
export const waitingLong =
  'Still no decision. You can leave this page: we complete your order when the payment arrives and send you an email.';
export const connectionProblem = 'Connection problem. Retrying…';
export const checkAgain = 'Check again';
export const payAnotherWay = 'Use another payment method';

// Paid
export const thankYou = 'Thank you, your order is paid';
export const added = (submissions: string) => `${submissionCount(submissions)} added.`;
export const paidDebt = (repaid: string) =>
  `${repaid} of them paid what you owed after a refund or dispute.`;
export const youNowHave = 'You now have {balance}.';
export const stillOwed = (debt: string) =>
  `You still owe ${submissionCount(debt)} after a refund or dispute.`;
export const backToBatch = 'Back to your batch';
export const createRequest = 'Create a Request';
export const seeInvoice = 'See the invoice';
export const yourPlan = 'Your plan';
export const inUse = (plan: string) => `${plan} is paid and active.`;
export const startsOn = (plan: string, day: string) =>
  `${plan} is paid, and its submissions are added. The plan starts on ${day}.`;

// The invoices
export const invoices = 'Invoices';
export const invoicesAndPayments = 'Invoices and payments';
export const tableOfInvoices = 'Table of invoices';
export const ordersHint = 'Search number, item or state';
export const orderColumns = {
  order: 'Order',
  what: 'Item',
  state: 'State',
  total: 'Total',
} as const;
export const noInvoiceYet = 'No invoice yet';
export const noInvoice = 'No invoice';
export const orderOf = (time: string) => `the order of ${time}`;
export const sumRefunded = (sum: string) => `(${sum} refunded)`;
export const details = 'Details';
export const detailsOf = (order: string) => `Details of ${order}`;
export const payNowFor = (order: string) => `Pay now: ${order}`;
export const noOrderMatches = 'No matching orders.';
export const showAllOrders = 'Show all orders';
export const noOrders = 'No orders yet. Your invoices will appear here.';

// An order in full
export const order = 'Order';
export const close = 'Close';
export const ordered = (time: string) => `Ordered ${time}`;
export const billedTo = 'Billed to';
export const taxNumber = (number: string) => `Tax number ${number}`;
export const payments = 'Payments';
export const startedAt = (time: string) => `(started ${time})`;
export const paymentBy = ({ provider, state }: { provider: string; state: string }) =>
  `${provider}, ${state.toLowerCase()}`;
export const documents = 'Documents';
export const creditNoteOver = ({ number, sum }: { number: string; sum: string }) =>
  `Credit note ${number}, ${sum}`;
export const pdf = 'PDF';
export const downloadInvoice = (number: string) => `Download invoice ${number} as PDF`;
export const downloadCreditNote = (number: string) => `Download credit note ${number} as PDF`;

// The payments
export const yourPayments = 'Your payments';
export const tableOfPayments = 'Table of payments';
export const paymentsHint = 'Search item or state';
export const paymentColumns = {
  when: 'Date',
  what: 'Item',
  provider: 'Method',
  state: 'State',
  amount: 'Amount',
  refunded: 'Refunded',
} as const;
export const noPaymentMatches = 'No matching payments.';
export const showAllPayments = 'Show all payments';
export const noPayments = 'No payments yet. Payments and refunds will appear here.';
