// On several pages
export const buyCredits = 'Buy Credits';
export const search = 'Search';
export const invoice = (number: string) => `Invoice ${number}`;
export const creditNote = (number: string) => `Credit note ${number}`;
export const providers = { card: 'Card', wallet: 'Wallet' } as const;
export const submissions = 'Submissions';
export const countOf = (submissions: string) => `${submissions} submissions`;
export const total = 'Total';
export const withTax = (tax: string) => `with ${tax}`;
export const givenBack = 'Given back';
export const payNow = 'Pay now';

// The states of a payment: what each is called, and what it means for the person
export const paymentLabels = {
  pending: 'Waiting for payment',
  paid: 'Paid',
  failed: 'Failed',
  refunded: 'Refunded',
  disputed: 'Disputed',
  review: 'In review',
} as const;
export const paymentMeanings = {
  pending: 'This order is not paid yet. Nothing is lost: it can be paid now or later.',
  paid: 'This order is paid. Thank you.',
  failed:
    'The last try to pay did not succeed, and nothing was taken. You can try again, also with another card.',
  refunded: 'The money of this order was given back.',
  disputed:
    'Somebody contests this payment with the bank. Until that is settled its submissions are held back.',
  review:
    'Something about this payment does not match. We look into it and write to you; please do not pay again.',
} as const;

// The cart
export const emptyCartTitle = 'Your cart is empty';
export const emptyCart = 'Choose how many submissions you need, and come back here to pay.';
export const foreignCartTitle = 'This cart is not for this account';
export const foreignCart =
  'It was filled while acting for somebody else. Go back to that account to pay for it, or empty it.';
export const emptyTheCart = 'Empty the cart';
export const yourCart = 'Your cart';
export const cartColumns = {
  pack: 'Pack',
  quantity: 'Quantity',
  submissions: 'Submissions',
  price: 'Price',
  change: 'Change',
} as const;
export const quantityOf = (pack: string) => `Quantity of ${pack}`;
export const remove = 'Remove';
export const removeLine = (pack: string) => `Remove ${pack}`;
export const addMore = 'Add more';
export const oldPrices = 'What you chose has another price by now, or is not sold any more.';
export const showPresentPrices = 'Show the present prices';
export const pricesChanged = 'Prices have changed. Please look at your cart first.';
export const backToCart = 'Back to the cart';

// The chosen plan
export const billing = 'Billing';
export const firstAccount = 'First an account';
export const planNeedsAccount = 'A plan belongs to an account.';
export const choiceKept = 'Your choice is kept: you come back here as soon as you are signed in.';
export const registerOrSignIn = 'Register, or sign in.';
export const register = 'Register';
export const signIn = 'Sign in';
export const payingFor = (client: string) =>
  `You act as ${client}: what you pay here is the plan of this client.`;
export const chooseAnotherPlan = 'Choose another plan';
export const planTerms = ({ submissions, days }: { submissions: string; days: string | null }) =>
  `${submissions} submissions${days === null ? '' : `, for ${days} days from today`}. It does not renew by itself.`;
export const backToPlan = 'Back to the plan';
export const nothingToPay = 'Nothing to pay here';
export const adminNeedsNone = 'An admin needs no plan.';
export const noneChosen = 'You have not chosen a plan yet.';
export const notOffered = 'The plan that you chose is not offered any more.';
export const costsNothing = (plan: string) => `${plan} costs nothing, so there is nothing to pay.`;
export const seePlans = 'See the plans';
export const goOn = 'Go on';

// Address and way to pay
export const billingAddress = 'Billing address';
export const addressHint =
  'It stands on the invoice. A name or a company, address, town and country are needed.';
export const addressNeeds = {
  name: 'Please enter the name for the invoice.',
  line1: 'Please enter the address.',
  city: 'Please enter the town.',
  country: 'Please choose a country.',
} as const;
export const addressIncomplete =
  'The billing address is incomplete. Please check the marked fields.';
export const payment = 'Payment';
export const howToPay = 'How do you want to pay?';
export const cardMethod = {
  label: 'Card',
  hint: 'The data of the card go to the card provider only.',
} as const;
export const testCardMethod = {
  label: 'Test card',
  hint: 'A card of the demo. No money moves.',
} as const;
export const walletMethod = {
  label: 'PayPal',
  hint: 'You pay on the pages of PayPal and come back.',
} as const;
export const testWalletMethod = {
  label: 'Test wallet',
  hint: 'A wallet of the demo. No money moves.',
} as const;
export const methodMissing = 'This is not set up here.';
export const acceptTerms = 'By paying you accept the {terms}.';
export const terms = 'terms';
export const continueToPayment = (sum: string) => `Continue to payment: ${sum}`;
export const unusableAddress = 'The provider gave an address that cannot be opened.';

// An order on its way
export const yourOrder = 'Your order';
export const includedTax = (tax: string) => `Included: ${tax}`;
export const cameBackUnpaid = 'You came back without paying.';
export const tooOld = 'This order is too old to be paid. Please order anew.';
export const payNowSum = (sum: string) => `Pay now: ${sum}`;
export const tryAgainSum = (sum: string) => `Try again: ${sum}`;

// A card
export const payByCard = 'Pay by card';
export const cardFormLoads = 'The card form is loading…';
export const noCards = 'Cards are not set up here.';
export const paySum = (sum: string) => `Pay ${sum}`;
export const cardFormFails = 'The form of the card provider cannot be loaded. Please try again.';
export const notSucceeded = 'The payment did not succeed. Please try another card.';
export const demoCards = 'This is a demo: these cards are made up, and no money moves.';
export const chooseTestCard = 'Choose a test card';
export const cardDeclined = 'The card was declined.';
export const tryAnotherCard = (reason: string) => `${reason} Please try another card.`;
export const demoUnreachable = 'The demo’s card provider cannot be reached. Please try again.';
export const demoUnusable = 'The demo’s card provider gave no usable answer. Please try again.';

// Waiting for the provider
export const beingChecked = 'Your payment is being checked';
export const waitingFirst = 'One moment: we ask the provider about your payment.';
export const waitingLonger = 'The provider has not decided yet. This can take a minute.';
export const waitingLong =
  'The provider still has not decided. You can leave this page: as soon as the payment is through, your order is settled by itself and a mail tells you.';
export const questionLost = 'The last question did not get through. We ask again by ourselves.';
export const lookNow = 'Look now';
export const payAnew = 'Pay in another way';

// Paid
export const thankYou = 'Thank you, your order is paid';
export const added = (submissions: string) => `${submissions} submissions were added.`;
export const youNowHave = 'You now have {balance}.';
export const backToBatch = 'Back to your batch';
export const createRequest = 'Create a Request';
export const seeInvoice = 'See the invoice';
export const yourPlan = 'Your plan';
export const inUse = (plan: string) => `${plan} is paid and in use.`;
export const inUseOneMoment = (plan: string) => `${plan} is paid and in use. One moment…`;

// The invoices
export const invoices = 'Invoices';
export const seePayments = 'See the payments';
export const ordersHint = 'By number, what was bought, or state.';
export const orderColumns = {
  order: 'Order',
  what: 'What',
  state: 'State',
  total: 'Total',
  actions: 'Actions',
} as const;
export const noInvoiceYet = 'No invoice yet';
export const orderOf = (time: string) => `the order of ${time}`;
export const sumGivenBack = (sum: string) => `(${sum} given back)`;
export const details = 'Details';
export const detailsOf = (order: string) => `Details of ${order}`;
export const payNowFor = (order: string) => `Pay now: ${order}`;
export const noOrderMatches = 'No order matches.';
export const showAllOrders = 'Show all orders';
export const noOrders = 'You have not bought anything yet. Your invoices will be here.';

// An order in full
export const order = 'Order';
export const close = 'Close';
export const ordered = (time: string) => `Ordered ${time}`;
export const billedTo = 'Billed to';
export const taxNumber = (number: string) => `Tax number ${number}`;
export const payments = 'Payments';
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
export const seeInvoices = 'See the invoices';
export const paymentsHint = 'By what was paid, or state.';
export const paymentColumns = {
  when: 'When',
  what: 'What',
  provider: 'Provider',
  state: 'State',
  amount: 'Amount',
  givenBack: 'Given back',
} as const;
export const nothingBack = 'Nothing';
export const noPaymentMatches = 'No payment matches.';
export const showAllPayments = 'Show all payments';
export const noPayments =
  'You have not paid anything yet. What you pay, and what is given back, will be here.';
