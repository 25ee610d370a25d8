import { submissionCount } from './entities.ts';

// On several pages
export const search = 'Search';
export const peopleHint = 'Search name, email or id';
export const nothingMatches = 'No matches.';
export const reason = 'Reason';
export const reasonHint = 'Visible to the person and in the audit log.';
export const reasonMissing = 'Enter a reason first.';
export const done = 'Done.';
export const close = 'Close';
export const noManager = 'No one';
export const withEmail = ({ name, email }: { name: string; email: string }) => `${name} (${email})`;

// The tabs
export const operator = 'Operator';
export const people = 'People';
export const payments = 'Payments';
export const auditLog = 'Audit log';
export const ledger = 'Ledger';
export const prices = 'Prices';
export const providers = 'Providers';

// The people
export const tableOfPeople = 'Table of people';
export const peopleColumns = {
  name: 'Name',
  role: 'Role',
  admin: 'Managed by',
  submissions: 'Submissions',
  lastSeen: 'Last seen',
} as const;
export const roleNames = { client: 'Client', admin: 'Admin', operator: 'Operator' };
export const suspended = 'Suspended';
export const neverSeen = 'Never';

// A person
export const noSuchPerson = 'Person not found';
export const account = 'Account';
export const personFacts = {
  email: 'Email',
  verified: 'Verified',
  role: 'Role',
  admin: 'Managed by',
  plan: 'Plan',
  submissions: 'Submissions',
  owes: 'Owes',
  lastSeen: 'Last seen',
  suspended: 'Suspended',
} as const;
export const noPlan = 'None';
export const notVerified = 'Not yet';
export const noEntries = 'No entries yet.';
export const allEntries = (entries: string) => `All ${entries} entries`;
export const balanceChange = 'Adjust submissions';
export const debtHint = (submissions: string) =>
  `For example 50. It first pays the ${submissionCount(submissions)} owed.`;
export const balanceHint = (submissions: string) =>
  `For example 50 or -50. ${submissions} available.`;
export const changeBalance = 'Adjust balance';
export const notWhole = 'Enter a whole number, such as 50 or -50.';
export const nowHas = ({ person, submissions }: { person: string; submissions: string }) =>
  `${person} now has ${submissionCount(submissions)}.`;
export const moveClient = 'Change manager';
export const makeClient = 'Change to client';
export const makeAdmin = 'Change to admin';
export const suspend = 'Suspend';
export const liftSuspension = 'Lift suspension';
export const confirmSuspension = (person: string) => ({
  title: `Suspend ${person}?`,
  confirm: 'Suspend',
  text: `${person} is signed out everywhere and cannot sign in until you lift the suspension. They get an email with your reason.`,
  isDanger: true,
});
export const confirmMakeClient = (person: string) => ({
  title: `Change ${person} to client?`,
  confirm: 'Change',
  text: `All clients of ${person} lose their manager, their monthly limits and their balance alerts. Changing back does not restore them.`,
  isDanger: true,
});
export const confirmLeaving = ({ person, admin }: { person: string; admin: string }) => ({
  title: `Take ${person} from ${admin}?`,
  confirm: 'Change',
  text: `${admin} no longer manages ${person}. The monthly limit and the balance alert are removed, and changing back does not restore them.`,
  isDanger: true,
});
export const confirmAmount = ({
  person,
  submissions,
}: {
  person: string;
  submissions: string;
}) => ({
  title: 'Adjust by a large amount?',
  confirm: 'Adjust balance',
  text: `This changes the balance of ${person} by ${submissions} submissions.`,
  isDanger: true,
});

// The manager of a client
export const findAdmin = 'Find an admin';
export const managedBy = 'Managed by';
export const noAdminMatches = 'No matching admins.';
export const someAdmins = ({ shown, total }: { shown: number; total: string }) =>
  `Showing ${shown} of ${total} admins. Type more of the name to find the others.`;

// The list of invoices
export const invoiceList = 'List of invoices';
export const invoiceListNote =
  'All invoices and credit notes of a period, for example for a tax return. Credit notes have negative amounts. Days are those of UTC.';
export const firstDay = 'First day';
export const lastDay = 'Last day';
export const downloadCsv = 'Download CSV';
export const invoiceListFile = (from: string, to: string) => `rowmill-invoices-${from}-${to}.csv`;

// The payments in review
export const inReview = 'Payments in review';
export const reviewsHint = 'Search person, order or payment id';
export const noReviews = 'No payments to review.';
export const tableOfReviews = 'Table of payments in review';
export const reviewColumns = {
  person: 'Person',
  order: 'Order',
  expected: 'Expected',
  received: 'Received',
  mismatch: 'Mismatch',
} as const;
export const nothingDiffers = 'None';
export const decide = 'Decide';
export const decideAbout = (person: string) => `Decide about the payment of ${person}`;
export const providerSilent = 'Not known';
export const receivedSum = ({
  sum,
  refunded,
  disputed,
  isLive,
}: {
  sum: string;
  refunded: string | null;
  disputed: string | null;
  isLive: boolean;
}) =>
  `${sum}${refunded ? `, ${refunded} of it refunded` : ''}${disputed ? `, ${disputed} of it disputed` : ''}${isLive ? '' : ' (test money)'}`;

// A payment in review
export const paymentOf = (person: string) => `Payment of ${person}`;
export const reviewFacts = {
  person: 'Person',
  order: 'Order',
  expected: 'Expected',
  received: 'Received',
  mismatch: 'Mismatch',
  card: 'Card payment',
  wallet: 'Wallet payment',
} as const;
export const orderWithId = ({ order, id }: { order: string; id: string }) => `${order} (${id})`;
export const notAtProvider = 'Unknown to the provider';
export const whatFollows = (submissions: string) =>
  `Accept grants ${submissionCount(submissions)}, as ordered. Reject grants nothing, refunds the money through the provider and emails the person.`;
export const paidTwice =
  'This order is already paid by another payment, so you can only reject this one.';
export const buyerDeleted =
  'The person deleted their account, so you can only reject this payment.';
export const notPaid = 'The provider does not confirm this payment, so you cannot accept it now.';
export const disputed =
  'A dispute of this payment is open. Respond in the dashboard of Stripe or PayPal. Until it is decided, the disputed part is neither granted nor refunded.';
export const refusedAt = (time: string) => `Rejected ${time}. The refund is in progress.`;
export const refundInProgress = 'The refund is in progress.';
export const refundRefused = (words: string) => `The provider refused the refund: ${words}`;
export const whatNow =
  'We retry every five minutes. Refunds you make in the provider’s dashboard count too. If you returned the money another way, record it here.';
export const refundedOtherwise = 'Refunded another way';
export const accept = 'Accept';
export const refuse = 'Reject';

// The audit log
export const auditSearched = (acts: string, reasons: string) =>
  `Searched actions in the newest ${acts} entries, and reasons in the newest ${reasons}.`;
export const auditHint = 'Person, action, reason, request id';
export const actFor = '(for {person})';
export const requestId = (id: string) => `Request ${id}`;

// The ledger checks
export const checkAgain = 'Check again';
export const ledgerPasses = 'All ledger checks pass.';
export const ledgerFails = 'A ledger check fails.';
export const checkedAt = (time: string) => `Checked ${time}.`;
export const claimIs = '{state}: {claim}';
export const holds = 'Passes';
export const brokenBy = (count: string) => `Fails for ${count}`;
