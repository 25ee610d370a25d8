// On several pages
export const search = 'Search';
export const peopleHint = 'By name, e-mail or id.';
export const nothingMatches = 'Nothing matches.';
export const reason = 'Reason';
export const reasonHint = 'It is kept, and the person can read it.';
export const reasonMissing = 'Please give a reason first.';
export const done = 'It is done.';
export const close = 'Close';
export const nobody = 'Nobody';
export const withEmail = ({ name, email }: { name: string; email: string }) => `${name} (${email})`;

// What there is to look at
export const operator = 'Operator';
export const people = 'People';
export const payments = 'Payments';
export const auditLog = 'Audit log';
export const books = 'Books';
export const prices = 'Prices';

// The people
export const tableOfPeople = 'Table of people';
export const peopleColumns = {
  name: 'Name',
  role: 'Role',
  admin: 'Looked after by',
  submissions: 'Submissions',
  lastSeen: 'Last seen',
  actions: 'Actions',
} as const;
export const roleNames = { client: 'Client', admin: 'Admin', operator: 'Operator' };
export const suspended = 'Suspended';
export const neverSeen = 'Never';
export const manage = 'Manage';
export const managePerson = (person: string) => `Manage ${person}`;

// A person
export const balanceChange = 'Change of the balance';
export const balanceHint = (submissions: string) =>
  `Such as 50 or -50. ${submissions} are available.`;
export const changeBalance = 'Change the balance';
export const notWhole = 'Please write a whole number, such as 50 or -50.';
export const nowHas = ({ person, submissions }: { person: string; submissions: string }) =>
  `${person} has ${submissions} submissions now.`;
export const moveClient = 'Move the client';
export const makeClient = 'Make a client';
export const makeAdmin = 'Make an admin';
export const suspend = 'Suspend';
export const liftSuspension = 'Lift the suspension';

// Who looks after a client
export const findAdmin = 'Find an admin';
export const lookedAfterBy = 'Looked after by';
export const noAdminMatches = 'No admin matches.';
export const someAdmins = ({ shown, total }: { shown: number; total: number }) =>
  `${shown} of ${total} admins are listed. Write more of the name to find the others.`;

// The payments in review
export const inReview = 'Payments in review';
export const reviewsHint = 'By person, order or the provider’s name of the payment.';
export const noReviews = 'No payment waits for a decision.';
export const tableOfReviews = 'Table of payments in review';
export const reviewColumns = {
  person: 'Person',
  order: 'Order',
  expected: 'Expected',
  came: 'Came',
  differs: 'Differs',
  actions: 'Actions',
} as const;
export const nothingDiffers = 'Nothing any more';
export const decide = 'Decide';
export const decideAbout = (person: string) => `Decide about the payment of ${person}`;
export const providerSilent = 'The provider does not say';
export const came = ({
  sum,
  back,
  isLive,
}: {
  sum: string;
  back: string | null;
  isLive: boolean;
}) => `${sum}${back === null ? '' : `, ${back} of it given back`}${isLive ? '' : ' (test money)'}`;

// A payment in review
export const paymentOf = (person: string) => `Payment of ${person}`;
export const reviewFacts = {
  whose: 'Whose',
  order: 'Order',
  expected: 'Expected',
  came: 'Came',
  differs: 'Differs',
  card: 'Card payment',
  wallet: 'Wallet payment',
} as const;
export const orderWithId = ({ order, id }: { order: string; id: string }) => `${order} (${id})`;
export const notAtProvider = 'Not known at the provider';
export const whatFollows = (submissions: string) =>
  `Accepting gives ${submissions} submissions, as ordered. Refusing gives nothing, gives the money back through the provider, and then sends the person a mail.`;
export const paidTwice = 'The order was paid by another payment, so this one can only be refused.';
export const notPaid =
  'The provider does not say that this payment is paid, so it cannot be accepted now.';
export const refusedAt = (time: string) => `Refused ${time}. Its money is being given back.`;
export const goesBack = 'Its money is being given back.';
export const notGivenBack = (words: string) =>
  `The provider does not give the money back: ${words}`;
export const whatNow =
  'It is tried again every five minutes. What you give back at the provider yourself counts too; if you give it back by another way, say so here.';
export const givenBackOtherwise = 'Given back by another way';
export const accept = 'Accept';
export const refuse = 'Refuse';

// The audit log
export const auditHint = 'By person, act, reason or the id of a request.';
export const actFor = ({ name, email }: { name: string; email: string }) =>
  `(for ${name}, ${email})`;

// The books
export const checkAgain = 'Check again';
export const booksRight = 'The books are right.';
export const booksWrong = 'The books are not right.';
export const checkedAt = (time: string) => `Checked ${time}.`;
export const claimIs = '{state}: {claim}';
export const holds = 'Holds';
export const brokenBy = (count: string) => `Broken by ${count}`;
