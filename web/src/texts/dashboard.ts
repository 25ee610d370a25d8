import { submissionCount } from './entities.ts';

// The page
export const welcome = (firstName: string) => `Welcome, ${firstName}.`;
export const dashboardOf = (client: string) => `${client}’s dashboard`;
export const submitBatch = 'Submit a Batch (CSV)';

// An operator's installation
export const needsYou = 'Needs your attention';
export const nothingNeedsYou = 'Nothing needs your attention.';
export const toOperator = 'People, payments and logs';
export const reviewsWait = (reviews: number) =>
  reviews === 1
    ? '1 payment waits for your decision'
    : `${reviews} payments wait for your decision`;
interface Disputed {
  name: string;
  amount: string;
  ref: string;
}
export const paymentDisputed = ({ name, amount, ref }: Disputed) =>
  `A payment of ${name} is disputed: ${amount}. Respond in the dashboard of Stripe or PayPal (${ref})`;
export const moreDisputed = (disputes: string) => `More disputed payments: ${disputes}`;
export const accountsFrozen = (accounts: number) =>
  `${accounts} ${accounts === 1 ? 'account is' : 'accounts are'} frozen by a failed ledger check`;
export const batchesStuck = (batches: number) =>
  `${batches} ${batches === 1 ? 'batch is' : 'batches are'} paused because the model provider is down, turned off or refuses requests`;
export const modelThrottled = ({ model, until }: { model: string; until: string }) =>
  `${model} throttles our calls until ${until}`;
export const modelFailedOver = ({ model, fallback }: { model: string; fallback: string }) =>
  `The provider of ${model} is down, and ${fallback} answers instead`;
export const filesMissing = (problem: string) => `Uploads fail and batches wait. ${problem}`;
export const workerMissing =
  'No worker has responded for a minute, so batches, emails and payments wait. Check the processes with worker in SERVE';
export const emailsWait =
  'Emails are not sent, because SMTP_URL is not set. They wait in DATA_DIR/outbox';
export const batchesOfAll = 'batches of all people';
export const failureRate = 'Failed rows';
export const rowsOfADay = (rows: string) => `of ${rows} rows started in 24 hours`;
export const received = 'Received';
export const lessRefunds = 'in 24 hours, less refunds and disputes';
export const newPeople = 'New people';
export const inADay = 'in 24 hours';

// An admin's clients
export const yourClients = 'Your clients';
export const noClients =
  'No clients yet. Invite your first client, give them submissions and set up batches for them.';
export const addClient = 'Add client';
export const allClients = 'See all clients';
export const low = 'Low';
export const runningNow = 'Running now';
export const lowBalance = 'Low balance';
export const ofYourClients = (clients: number, written: string) =>
  `of ${clients === 1 ? 'your client' : `your ${written} clients`}`;
export const showThem = 'Show them';
export const clientBalance = ({ available, spent }: { available: string; spent: string }) =>
  `${submissionCount(available)} available, ${spent} used or reserved this month`;
export const batchesRunning = (batches: number) =>
  `${batches} ${batches === 1 ? 'batch' : 'batches'} running`;
export const lastSeen = (when: string) => `last seen ${when}`;
export const neverSeen = 'not signed in yet';

// First steps
export const tryInAMinute = 'Try it in a minute';
export const firstSteps = [
  { title: 'Sheet', text: 'We load 12 sample products.' },
  { title: 'Prompt', text: 'One prompt, with each product’s name filled in.' },
  { title: 'Run', text: 'Watch the rows being answered.' },
  { title: 'Download', text: 'Your sheet, with the answers in a new column.' },
] as const;
export const trySample = 'Try the sample';
export const notNow = 'Not now';
export const planFirst = 'You have no submissions yet. Every plan comes with some.';
export const samplePrice = 'You see the cost before you run it.';

// Balance
export const submissions = 'Submissions';
export const onlyForAnswers = 'Charged only for answers';
export const owed = (debt: string) => `You owe ${submissionCount(debt)}`;
export const noneLeft = 'None left';
export const lastsOverAYear = 'Lasts over a year';
export const lastsUnderADay = 'Lasts less than a day';
export const lastsDays = (days: number) => `Lasts about ${days} ${days === 1 ? 'day' : 'days'}`;

// Use, success and plan
export const usedInDays = (days: number) => `Used in ${days} days`;
export const charged = (submissions: number) =>
  `${submissions === 1 ? 'submission' : 'submissions'} charged`;
export const successRate = 'Success rate';
export const noRowsYet = 'No rows yet';
export const ofRows = (rows: string) => `Rows run so far: ${rows}`;
export const plan = 'Plan';
export const noPlan = 'None';
export const choosePlan = 'Choose a plan';
export const allPlans = 'See all plans';

// Charges per day
export const chargedPerDay = 'Submissions used per day';
export const whatIsCharged = 'Batches, previews and single prompts.';
export const noneInDays = (days: number) => `No submissions used in the last ${days} days.`;
export const dayFigure = ({ date, submissions }: { date: string; submissions: string }) =>
  `${date}: ${submissions} used`;

// Running now
export const noBatchesRunning = 'No batches running. You can close this page while one runs.';
export const seeAll = (total: string) => `See all ${total}`;
export const rateAndTimeLeft = ({ rate, left }: { rate: string; left: string }) =>
  `${rate}, ${left}`;

// Last batches
export const lastBatches = 'Last batches';
export const allBatches = 'See all batches';
export const noBatches = 'No batches yet. {upload} and run a prompt over its rows.';
export const uploadSpreadsheet = 'Upload a spreadsheet';
