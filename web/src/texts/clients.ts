// On several pages
export const search = 'Search';
export const searchHint = 'By name or e-mail.';
export const nobodyMatches = (search: string) => `Nobody matches “${search}”.`;
export const cancel = 'Cancel';
export const close = 'Close';
export const submissions = 'Submissions';
export const youCanGive = (submissions: string) => `You can give ${submissions} submissions`;
export const notWhole = 'Please write a whole number, such as 250.';

// The clients
export const yourClients = 'Your clients';
export const addClient = 'Add a client';
export const noClients = 'You have no clients yet. Whom you invite appears here at once.';
export const nobodyHere = 'There is nobody on this page.';
export const showAll = 'Show all clients';
export const clients = 'Clients';
export const clientColumns = {
  name: 'Name',
  plan: 'Plan',
  submissions: 'Submissions',
  month: 'This month',
  running: 'Running',
  lastSeen: 'Last seen',
  actions: 'Actions',
} as const;
export const noPlan = 'None';
export const low = 'Low';
export const spentOf = ({ spent, limit }: { spent: string; limit: string }) =>
  `${spent} of ${limit}`;
export const noneRunning = 'None';
export const neverSeen = 'Never';
export const invited = 'Invited';
export const actAs = 'Act as';
export const actAsClient = (client: string) => `Act as ${client}`;
export const manage = 'Manage';
export const manageClient = (client: string) => `Manage ${client}`;

// A new client
export const firstName = 'First name';
export const lastName = 'Last name';
export const email = 'E-mail';
export const phone = 'Phone';
export const plan = 'Plan';
export const clientChooses = 'The client chooses it';
export const submissionsToGive = 'Submissions to give';
export const fromYourOwn = 'They come from your own balance.';
export const invite = 'Invite';
export const isInvited = 'The client is invited.';

// The submissions of a client
export const available = (submissions: string) => `${submissions} available.`;
export const howMany = 'How many';
export const reason = 'Reason';
export const reasonHint = 'Your client can read it.';
export const give = 'Give';
export const takeBack = 'Take back';
export const nowHas = ({ client, submissions }: { client: string; submissions: string }) =>
  `${client} has ${submissions} submissions now.`;

// The limits of a client
export const limits = 'Limits';
export const spentThisMonth = (submissions: string) => `${submissions} spent or held this month.`;
export const mostInMonth = 'Most in a month';
export const mostHint = 'Empty: as much as there is.';
export const tellBelow = 'Tell us both below';
export const tellHint = 'One mail each time the balance falls below. Empty: none.';
export const saveLimits = 'Save the limits';
export const limitsSaved = 'The limits are saved.';

// The access of a client
export const access = 'Access';
export const resetPassword = 'Reset the password';
export const inviteAgain = 'Invite again';
export const resetWords = (client: string) =>
  `${client} is signed out everywhere and gets a link to set a new password.`;
export const inviteWords = (client: string) =>
  `${client} has not accepted the invitation yet. A new one ends the old one.`;
export const sendLink = 'Yes, send the link';
export const sendNothing = 'No';
export const linkSent = 'A link is on its way.';

// As whom to act
export const myself = 'Myself';
export const myOwn = 'My own submissions and batches';
export const noClientsYet = 'You have no clients yet.';
export const searchForOthers = 'Search to find the others.';

// The activity
export const whoDidWhat = 'Who did what';
export const changedInYours =
  'Everything that was changed in your account, by whomever, newest first.';
export const changedInTheirs = (client: string) =>
  `Everything that was changed in the account of ${client}, by whomever, newest first.`;
export const nothingYet = 'Nothing has happened yet.';
export const you = 'You';
