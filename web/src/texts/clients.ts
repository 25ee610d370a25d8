import { submissionCount } from './entities.ts';

// On several pages
export const search = 'Search';
export const searchHint = 'Search name or email';
export const noMatchFor = (search: string) => `No clients match “${search}”.`;
export const noneOfTheseMatch = (search: string, filter: string) =>
  `No clients match “${search}” under “${filter}”.`;
export const cancel = 'Cancel';
export const close = 'Close';
export const submissions = 'Submissions';

// The clients
export const yourClients = 'Your clients';
export const listInAdminView =
  'You are in the Client view. The list of your clients is in the Admin view.';
export const showYourClients = 'Show your clients';
export const addClient = 'Add client';
export const noClients = 'No clients yet. People you invite appear here.';
export const showAll = 'Show all clients';
export const clients = 'Clients';
export const whichClients = 'Which clients';
export const clientFilters = {
  all: 'All',
  low: 'Low balance',
  running: 'Running',
  invited: 'Invited',
} as const;
export const noneOfThese = 'No clients match.';
export const sortBy = 'Sort by';
export const clientOrders = {
  newest: 'Newest',
  name: 'Name',
  balance: 'Lowest balance',
  last_seen: 'Last seen',
} as const;
export const clientColumns = {
  name: 'Name',
  plan: 'Plan',
  submissions: 'Submissions',
  month: 'This month',
  running: 'Running',
  lastSeen: 'Last seen',
} as const;
export const suspended = 'Suspended';
export const low = 'Low';
export const spentOf = ({ spent, limit }: { spent: string; limit: string }) =>
  `${spent} of ${limit}`;
export const neverSeen = 'Never';
export const invited = 'Invited';
export const actAs = 'Act as';
export const actAsClient = (client: string) => `Act as ${client}`;
export const batchIsYours = 'This batch belongs to your own account.';
export const batchOf = (name: string) => `This batch belongs to ${name}.`;
export const batchOfAnother = 'This batch belongs to another account.';
export const returnToSelf = 'Return to your account';
export const manage = 'Manage';
export const manageClient = (client: string) => `Manage ${client}`;

// A new client
export const firstName = 'First name';
export const lastName = 'Last name';
export const email = 'Email';
export const phone = 'Phone (optional)';
export const plan = 'Plan';
export const clientChooses = 'Let the client choose';
export const submissionsToGive = 'Submissions to give';
export const fromYourOwn = 'Taken from your own balance.';
export const youCanGive = (submissions: string) =>
  `You can give at most ${submissionCount(submissions)}.`;
export const invite = 'Invite';

// The submissions of a client
export const available = (submissions: string) => `${submissions} available.`;
export const youCanTakeBack = (submissions: string) => `You can take back at most ${submissions}.`;
export const owes = ({ client, debt }: { client: string; debt: string }) =>
  `${client} owes ${submissionCount(debt)}, because a payment was refunded or disputed after they were used. What you give pays this first.`;
export const howMany = 'How many';
export const reason = 'Reason';
export const reasonHint = 'Visible to your client.';
export const give = 'Give';
export const takeBack = 'Take back';
export const nowHas = ({ client, submissions }: { client: string; submissions: string }) =>
  `${client} now has ${submissionCount(submissions)}.`;

export const confirmGive = ({ client, submissions }: { client: string; submissions: string }) => ({
  title: 'Give a large amount?',
  confirm: 'Give',
  text: `${client} gets ${submissions} submissions from your balance.`,
});
export const confirmTakeBack = ({
  client,
  submissions,
}: {
  client: string;
  submissions: string;
}) => ({
  title: 'Take back a large amount?',
  confirm: 'Take back',
  text: `${client} loses ${submissions} submissions. They return to your balance.`,
});

// The limits of a client
export const limits = 'Limits';
export const spentThisMonth = (submissions: string) =>
  `${submissions} spent or reserved this month.`;
export const mostInMonth = 'Monthly limit';
export const mostHint = 'Leave empty for no limit.';
export const lowBalanceAlert = 'Low-balance alert';
export const lowBalanceHint =
  'We email you and the client when the balance falls below this. Leave empty for no alert.';
export const saveLimits = 'Save limits';

// The access of a client
export const access = 'Access';
export const resetPassword = 'Reset password';
export const inviteAgain = 'Invite again';
export const resetWords = (client: string) =>
  `A reset signs ${client} out everywhere and emails a link to set a new password.`;
export const confirmReset = (client: string) => ({
  title: `Reset the password of ${client}?`,
  confirm: 'Send the link',
  text: `${client} is signed out on all devices at once, and gets an email with a link to set a new password.`,
  isDanger: true,
});
export const inviteWords = (client: string) =>
  `${client} has not accepted the invitation yet. You can send a new one, also to another address. The old link then stops working.`;
export const withdraw = 'Withdraw the invitation';
export const withdrawWords =
  'Or you can withdraw it: the link stops working, and the account is deleted.';
export const confirmWithdrawal = (client: string) => ({
  title: `Withdraw the invitation of ${client}?`,
  confirm: 'Withdraw',
  text: 'The account is deleted with its sheets and batches. What is left of the submissions that you gave returns to your balance. Bought ones are lost.',
  isDanger: true,
});
export const linkSent = 'The link was sent.';

// Choosing who to act for
export const myself = 'Myself';
export const myOwn = 'My own submissions and batches';
export const noClientsYet = 'You have no clients yet.';
export const searchForOthers = 'Search for more clients.';

// The activity
export const whoDidWhat = 'Activity log';
export const changedInYours = 'Everything that changed in your account, newest first.';
export const changedInTheirs = (client: string) =>
  `Everything that changed in ${client}’s account, newest first.`;
export const nothingYet = 'No activity yet.';
export const you = 'You';
export const times = (times: number) => `${times} times`;
