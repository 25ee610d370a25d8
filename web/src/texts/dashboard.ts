// The page
export const welcome = (firstName: string) => `Welcome, ${firstName}.`;
export const dashboardOf = (client: string) => `The dashboard of ${client}`;
export const submitBatch = 'Submit a Batch (CSV)';

// An admin's clients
export const clients = 'Your clients';
export const noClients =
  'You have no clients yet. Invite the first one, give submissions along, and set up batches for him.';
export const addClient = 'Add a client';
export const allClients = 'See all clients';
export const low = 'Low';
export const toGive = 'You can give';
export const fromYours = 'submissions, from your own balance';
export const clientsRunning = 'Running now';
export const batchesOf = (clients: number) =>
  `batches of ${clients === 1 ? 'one client' : `${clients} clients`}`;
export const lowBalance = 'Low balance';
export const lowOf = (clients: number) =>
  `of ${clients === 1 ? 'your client' : `your ${clients} clients`}`;
export const clientStands = ({ available, spent }: { available: string; spent: string }) =>
  `${available} submissions available, ${spent} used this month`;
export const clientRuns = (batches: number) =>
  `${batches} ${batches === 1 ? 'batch' : 'batches'} running`;
export const lastSeen = (when: string) => `last seen ${when}`;
export const notSeenYet = 'not seen yet';

// First steps
export const tryIt = 'Try it in a minute';
export const firstSteps = [
  { title: 'Sheet', words: 'A sample of 12 products is loaded.' },
  { title: 'Question', words: 'One question, with each product’s name filled in.' },
  { title: 'Start', words: 'Watch the rows being answered.' },
  { title: 'Download', words: 'Your sheet, with the answers in a new column.' },
] as const;
export const trySample = 'Try the sample';
export const notNow = 'Not now';
export const samplePrice = 'It uses 12 submissions.';

// Balance
export const submissions = 'Submissions';
export const oneAnswersOneRow = 'One answers one row.';
export const moreThanYear = 'More than a year at this pace.';
export const lessThanDay = 'Less than a day at this pace.';
export const daysAtThisPace = (days: number) =>
  `About ${days} ${days === 1 ? 'day' : 'days'} at this pace.`;

// Use, success and plan
export const usedIn = (days: number) => `Used in ${days} days`;
export const charged = (submissions: number) =>
  `${submissions === 1 ? 'submission' : 'submissions'} charged`;
export const successRate = 'Success rate';
export const noRateYet = 'Known once a row is done.';
export const ofTheRows = (batches: number) =>
  `of the rows of ${batches === 1 ? 'your batch' : `your last ${batches} batches`}`;
export const plan = 'Plan';
export const noPlan = 'None';
export const choosePlan = 'Choose a plan';
export const allPlans = 'See all plans';

// Rows per day
export const rowsPerDay = 'Answered rows per day';
export const whenCounted = 'A batch counts on the day when it ended.';
export const lastCounted = (batches: number) => `Your last ${batches} batches are counted.`;
export const noRowDone = (days: number) => `No row was done in the last ${days} days.`;
export const dayFigure = ({
  date,
  answered,
  failed,
}: {
  date: string;
  answered: string;
  failed: string;
}) => `${date}: ${answered} answered, ${failed} failed`;

// Running now
export const running = 'Running now';
export const nothingRuns = 'Nothing is running. A batch that you start goes on without this page.';
export const allRunning = (total: string) => `See all ${total}`;
export const pace = ({ rate, left }: { rate: string; left: string }) => `${rate}, ${left}`;

// Last batches
export const lastBatches = 'Last batches';
export const allBatches = 'See all batches';
export const noBatches =
  'You have no batches yet. {upload} and ask a question about each of its rows.';
export const uploadSpreadsheet = 'Upload a spreadsheet';
