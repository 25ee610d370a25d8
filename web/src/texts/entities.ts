// A batch: its state
export const batchStates = {
  ready: 'Ready',
  running: 'Running',
  paused: 'Paused',
  stopped: 'Stopped',
  completed: 'Completed',
} as const;
export const completedWithFailures = (failed: string) => `Completed, ${failed} failed`;

// A batch: why it is paused, and what to do about it
const finishedKept = 'Finished answers are kept.';
export const resumeWithinLimit = `Resume when the limit allows more. ${finishedKept}`;
/** Of an economy batch whose submissions do not cover all rows. */
export const coveredByDeadline =
  'We try again every minute. By your deadline, we run as many rows as your reserved submissions cover. The others need more submissions.';
export const pauses = {
  person: { why: 'Paused manually.', next: 'Resume at any time.' },
  needs_credits: { why: 'Out of submissions.', next: finishedKept },
  provider_refused: {
    why: 'We cannot use the model right now.',
    next: 'We need to fix this on our side. Then it resumes automatically. No row is lost.',
  },
  request_refused: {
    why: 'The model does not work with these options.',
    next: 'Change the options, then resume. No row is lost.',
  },
  provider_down: {
    why: 'The model provider is not answering.',
    next: 'Resumes automatically when the provider recovers. Resume to retry now. No row is lost.',
  },
  storage_full: {
    why: 'The storage for answers is full.',
    next: 'Resumes automatically when there is space again. Deleting batches you no longer need helps.',
  },
  no_capacity: {
    why: 'The model has no capacity at half price right now.',
    next: 'We try again every minute and finish by your deadline at the same price. You don’t need to do anything.',
  },
  sheet_unreadable: {
    why: 'We cannot read the stored sheet of this batch.',
    next: 'The answers so far are safe. Resume to try again. If it pauses again, contact us.',
  },
} as const;

// A batch: a long wait that its provider asked for
export const waitsUntil = (time: string) => `The model provider asks us to wait until ${time}.`;
export const continuesThen =
  'The batch then continues automatically. No row is lost. To continue sooner, pause it and change its model.';

// A batch: its progress
interface TokenParts {
  input: string;
  cached: string;
  output: string;
  reasoning: string;
}
/** Parts that are zero say nothing. */
export const tokenParts = ({ input, cached, output, reasoning }: TokenParts) =>
  `${input} in${cached === '0' ? '' : ` (${cached} cached)`}, ${output} out${reasoning === '0' ? '' : ` (${reasoning} reasoning)`}`;
export const progressOf = (batch: string) => `Progress of ${batch}`;
export const progress = ({
  answered,
  failed,
  skipped,
  rows,
}: {
  answered: string;
  failed: string;
  skipped: string;
  rows: string;
}) =>
  `${answered} of ${rows} answered${failed === '0' ? '' : `, ${failed} failed`}${skipped === '0' ? '' : `, ${skipped} skipped`}`;
export const noRateYet = 'No rate yet';
export const rate = (rows: string) => `${rowCount(rows)}/min`;
export const estimated = { seconds: 'Time', tokens: 'Tokens', submissions: 'Submissions' } as const;
export const tokenCount = (shown: string) => `${shown} tokens`;
export const rowCount = (shown: string) => `${shown} ${shown === '1' ? 'row' : 'rows'}`;
/** Of a number as it is shown. */
export const submissionCount = (shown: string) =>
  `${shown} ${shown === '1' ? 'submission' : 'submissions'}`;
export const range = (low: string, high: string) => `${low} to ${high}`;
export const timeUnknown = 'Time left unknown';
export const fewSeconds = 'a few seconds';
export const aboutSeconds = (seconds: number) => `about ${seconds} seconds`;
export const aboutMinute = 'about a minute';
export const aboutMinutes = (minutes: number) => `about ${minutes} minutes`;
export const aboutHours = ({ hours, minutes }: { hours: number; minutes: number }) =>
  `about ${hours} ${hours === 1 ? 'hour' : 'hours'}${minutes ? ` ${minutes} minutes` : ''}`;
export const aboutDays = (days: number) => `about ${days} days`;

// Submissions
export const available = 'Available:';
export const unit = 'submissions';
export const unknown = 'unknown';
export const refresh = 'Refresh credits';
export const owesSubmissions = (debt: string) => `owes ${debt}`;
export const inDebt = (debt: string) =>
  `You owe ${submissionCount(debt)}, because a payment was refunded or disputed after you used them. What you buy pays this first.`;

// A billing address
export const optional = (label: string) => `${label} (optional)`;
export const name = 'Name';
export const company = 'Company';
export const address = 'Address';
export const addressSecondLine = 'Address, second line';
export const town = 'Town';
export const region = 'Region';
export const postcode = 'Postcode';
export const country = 'Country';
export const chooseCountry = 'Choose a country';
export const taxNumber = 'Tax number';

// Rows of an earlier batch
const rowsOfKind = {
  all: 'all rows',
  failed: 'failed rows',
  not_run: 'rows not run',
  marked: 'marked rows',
} as const;
export const rowsAgain = (rows: keyof typeof rowsOfKind | object, count: string) =>
  `${typeof rows === 'string' ? rowsOfKind[rows] : 'selected rows'} (${count})`;
export const runningAgain = ({ rows, name }: { rows: string; name: string }) =>
  `Running again: ${rows} of “${name}”.`;
export const wholeSheetInstead = 'Run the whole sheet instead';

// A grid
export const rowsNotLoaded = 'Some rows could not be loaded.';
export const tryAgain = 'Try again';
export const rowColumn = '#';
export const columnNumber = (column: number) => `Column ${column}`;
export const openRow = (row: string) => `Open row ${row}`;
export const cellsCopied = (cells: number, shown: string) =>
  cells === 1 ? 'Cell copied.' : `${shown} cells copied.`;
export const tooManyToCopy = (rows: string) =>
  `You can copy at most ${rows} rows at once. For more, use the file.`;
export const answer = 'Answer';
export const whenToRun = 'When to run';
export const runNow = (shown: string) => `Now · ${submissionCount(shown)}`;
export const runLater = ({ deadline, shown }: { deadline: string; shown: string }) =>
  `By ${deadline} · ${submissionCount(shown)}`;
export const runNowInstead = 'Run now instead';
export const economyNote =
  'Half the price, rounded up for each row. We run rows when the model has spare capacity, and the rest in time for the deadline at the same price. Rows that you tried at the full price run again.';
export const economyBy = (deadline: string) => `Half price, by ${deadline}`;

// Models
export const model = 'Model, price in submissions';
export const noModel = 'No model is available right now.';
export const demoModel = 'Demo model (no AI)';
export const modelGone = (model: string) => `${model}, no longer offered`;
export const modelPrice = (model: string, submissions: string, tokens: string | null) =>
  `${model}, ${submissions} ${tokens === null ? 'per row' : `per ${tokens} tokens`}`;
export const peopleSearched = (people: string) =>
  `Searched the newest ${people} names. To find anyone else, enter their full email address.`;

// Plans
export const planUntil = (day: string) => `until ${day}`;
export const thenPlan = (plan: string) => `Then: ${plan}`;
export const planFrom = (day: string) => `from ${day}`;
