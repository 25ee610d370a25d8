import { language } from '../language.ts';

// On several pages
export const buyCredits = 'Buy Credits';
export const moreNeeded = (submissions: number, shown: string, isAtMost: boolean) =>
  `${isAtMost ? 'Up to ' : ''}${shown} more ${submissions === 1 ? 'submission' : 'submissions'} needed for all remaining rows.`;
export const partIsDebt = (debt: string) =>
  `${debt} of them pay what you owe after a refund or dispute.`;
export const balanceIsEnough = 'Your balance now covers all remaining rows. Resume to run them.';
export const search = 'Search';
export const all = 'All';
export const state = 'State';
export const prompt = 'Prompt';
export const answer = 'Answer';
export const unusableAnswer = 'What the model answered';
export const notRun = 'Not run';
export const queued = 'Queued';
export const answered = 'Answered';
export const failed = 'Failed';
export const skipped = 'Skipped';
export const startedBy = (name: string) => `Started by ${name}`;

// A batch
export const batch = 'Batch';
export const batchNotFound = 'Batch not found';
export const mayBeDeleted = 'It may have been deleted, or it belongs to another account.';
export const seeYourBatches = 'See your batches';
export const reason = (message: string) => `Reason: ${message}`;
/** Announced to screen readers every few seconds. */
export const summary = ({ state, progress }: { state: string; progress: string }) =>
  `${state}: ${progress}.`;
export const summaryTimeLeft = (left: string) => `Time left: ${left}.`;
export const summaryUntilOut = (left: string) =>
  `Time until the reserved submissions run out: ${left}.`;

// Its figures
export const separator = ' · ';
export const ofRows = (rows: number, shown: string) =>
  `of ${shown} ${rows === 1 ? 'row' : 'rows'} answered`;
export const percent = (percent: number) => `${percent}%`;
export const countOf = {
  failed: (rows: string) => `${rows} failed`,
  skipped: (rows: string) => `${rows} skipped (empty)`,
  notRun: (rows: string) => `${rows} not run`,
  charged: (submissions: string) => `${submissions} charged`,
  reserved: (submissions: string) => `${submissions} reserved`,
  released: (submissions: string) => `${submissions} returned`,
  tokens: (tokens: string) => `${tokens} tokens`,
} as const;
export const tokensOfModel = 'Tokens';
export const costOfRow = 'Cost';
export const estimatedByLength =
  '(estimated by length, because the provider does not count tokens)';
export const answeredBy = 'Answered by';
export const timeLeft = (time: string) => `${time} left`;
export const untilOut = (time: string) => `${time} until reserved submissions run out`;
export const took = (time: string) => `Took ${time}`;
export const seconds = (seconds: number) => `${seconds} s`;
export const minutes = (minutes: number) => `${minutes} min`;
export const hours = (hours: string) => `${hours} h`;

// What was estimated at its start
export const estimateCompared = 'Estimate and result';
export const unknownAmount = 'Unknown';
export const takenAndEstimated = ({
  taken,
  expected,
  range,
}: {
  taken: string;
  expected: string;
  range: string | null;
}) => `${taken}. Estimated: ${expected}${range ? ` (${range})` : ''}.`;

// Its rate
export const measuringSpeed = 'Measuring speed…';
export const chartStart = (span: string) => `${span} ago`;
export const chartEnd = 'now';
export const lastSeconds = (seconds: number) => `${seconds} seconds`;
export const lastMinutes = (minutes: number) => `${minutes} minutes`;
export const rateRange = ({
  span,
  low,
  high,
  now,
}: {
  span: string;
  low: string;
  high: string;
  now: string;
}) => `Rate over the last ${span}: between ${low} and ${high}, now ${now}.`;

// Its prompt
export const promptText = 'Prompt text';
export const showPrompt = 'Show prompt';
export const hidePrompt = 'Hide prompt';
export const model = 'Model';
export const answerColumns = 'Answer columns';
export const answerForm = 'Answer format';
export const oneAnswerColumn = 'One, with the whole answer';

// Its actions
export const play = 'Play';
export const pause = 'Pause';
export const resume = 'Resume';
/** Of a batch that would resume by itself. */
export const keepPaused = 'Keep paused';
export const stop = 'Stop';
export const more = 'More';
export const changeOptions = 'Change options';
export const changeOptionsNote = 'Applies to rows without an answer. Answered rows do not change.';
export const saveAndResume = 'Save and resume';
export const saveAndRetry = 'Save and retry failed rows';
export const optionsChanged = 'Options changed. The remaining rows are running.';
export const pauseFirst = 'Pause the batch first.';
export const retryFailed = (rows: string) => `Retry ${rows} failed`;
export const retryFailedRows = 'Retry failed rows';
export const runAgain = 'Run again…';
export const runAll = (rows: string) => (rows === '1' ? 'The only row' : `All ${rows} rows`);
export const runFailed = (rows: string) => `${rows} failed`;
export const runNotRun = (rows: string) => `${rows} not run`;
export const remove = 'Delete';
export const download = 'Download';
export const resultFormats = {
  xlsx: 'Results as XLSX',
  csv: 'Results as CSV',
  excel: 'Results as CSV for Excel',
  jsonl: 'Results as JSONL',
  unchanged: 'My file unchanged, plus columns',
} as const;
/** Before the columns that a result file has only if they are chosen. */
export const alsoInclude = 'Also include in the results';
export const extraColumns = {
  marks: 'Marks',
  judgements: 'Judgements and notes',
  tokens: 'Token counts',
} as const;
export const unchangedNeedsCsv = 'Only for sheets from CSV and other text files.';
/** What the last CSV file of a batch had to change, or null. */
export const fileChanges = (
  { apostrophes, replaced }: { apostrophes: number; replaced: number },
  shown: (number: number) => string,
): string | null => {
  const parts: string[] = [];
  if (apostrophes > 0)
    parts.push(
      `${shown(apostrophes)} ${apostrophes === 1 ? 'cell' : 'cells'} got an apostrophe, so that a spreadsheet does not run ${apostrophes === 1 ? 'it as a formula' : 'them as formulas'}.`,
    );
  if (replaced > 0)
    parts.push(
      `${shown(replaced)} ${replaced === 1 ? 'row has' : 'rows have'} characters that the file’s encoding lacks. They are replaced; XLSX and CSV have them all.`,
    );
  return parts.length > 0 ? parts.join(' ') : null;
};
export const lastFileChanges = (changes: string) => `The last CSV file: ${changes}`;
export const originalFile = 'Original file';
export const resultsFileName = ({ name, extension }: { name: string; extension: string }) =>
  `${name}-answers${extension}`;

// Why an action is not available
export const alreadyRunning = 'Already running.';
export const alreadyPaused = 'Already paused.';
export const hasEnded = 'This batch has ended.';
export const hasNotStarted = 'This batch has not started.';
export const stoppedForGood =
  'Stopped batches can’t be resumed. Run the rest of the sheet as a new batch.';
export const everyRowDone = 'Every row is done.';
export const waitForEnd = 'Available once the batch has ended.';
export const stopFirst = 'Stop the batch first.';
export const noFailedRows = 'No rows have failed.';
export const notAvailable = 'Not available right now.';

// Before an action
export const confirmPlay = { title: 'Start this batch?', confirm: 'Start the batch' } as const;
export const runsUntriedRows = ({ waiting, name }: { waiting: string; name: string }) =>
  waiting === '1'
    ? `1 row of “${name}” has no answer yet. It runs now.`
    : `${waiting} rows of “${name}” have no answer yet. All of them run now.`;
export const costsAtMost = (submissions: number, shown: string) =>
  `They cost at most ${shown} ${submissions === 1 ? 'submission' : 'submissions'}. Rows without an answer cost nothing.`;
export const confirmStop = { title: 'Stop this batch?', confirm: 'Stop the batch' } as const;
export const doNotStop = 'Don’t stop';
interface RowsLeft {
  waiting: string;
  rows: string;
  name: string;
}
export const rowsNotDone = ({ waiting, rows, name }: RowsLeft) =>
  `${waiting} of ${rows} ${rows === '1' ? 'row' : 'rows'} of “${name}” ${waiting === '1' ? 'is' : 'are'} not done yet.`;
export const noMoreRowsSent = 'No more rows will be sent.';
export const sentRowsFinish = 'Rows already sent will finish. You’re charged only for answers.';
export const unusedGoBack = (reserved: string) =>
  `Unused submissions go back to your balance. ${reserved} ${reserved === '1' ? 'is' : 'are'} reserved now.`;
export const answersStay = 'You keep the answers so far. A stopped batch can’t be resumed.';
export const confirmRetry = {
  title: 'Retry the failed rows?',
  confirm: 'Retry failed rows',
} as const;
export const failedRowsRunAgain = (rows: number, shown: string) =>
  `${shown} failed ${rows === 1 ? 'row runs' : 'rows run'} again. Submissions are reserved for ${rows === 1 ? 'it' : 'them'} now. Rows that fail again cost nothing.`;
export const confirmDelete = { title: 'Delete this batch?', confirm: 'Delete the batch' } as const;
export const deletedForGood = (name: string) =>
  `“${name}”, its prompts and its answers will be deleted for good. What it cost still counts on your dashboard. Download the results first if you need them.`;

// Its rows
export const rows = 'Rows';
export const select = 'Select';
export const selectRow = (row: string) => `Select row ${row}`;
export const rowsSelected = (rows: string) => `${rows} selected`;
export const selectFound = (rows: number, shown: string) =>
  rows === 1 ? 'Select the row found' : `Select all ${shown} found`;
export const runTheseAgain = 'Run these again…';
export const clearSelectedRows = 'Clear';
export const showAllRows = 'Show all rows';
export const columns = 'Columns';
export const moveLeft = (column: string) => `Move ${column} left`;
export const moveRight = (column: string) => `Move ${column} right`;
export const wrapText = 'Wrap text';
export const allColumns = 'All columns of the sheet';
export const findColumn = 'Find a column';
export const freezeFirst = 'Freeze the first column';
export const tooManyToSelect = (rows: string) =>
  `You can select at most ${rows} rows by hand. Filter the rows and select all that are found instead.`;
export const searchRows = 'Search all columns';
export const show = 'Show';
export const filterWithCount = ({ filter, rows }: { filter: string; rows: string }) =>
  `${filter} (${rows})`;
export const noRowsMatch = 'No rows match.';
export const earlierProblem = (problem: string) => `Failed before: ${problem}`;
/** Before the number of a row. */
export const open = 'Open row';
export const loadingRow = 'Loading row';

// The marks of answers
export const marks = 'Marks';
export const markedRows = (rows: string) => `${rows} marked`;
export const markCounts = {
  empty: (rows: number) => `${shown(rows)} without content`,
  refusal: (rows: number) => `${shown(rows)} ${rows === 1 ? 'refusal' : 'refusals'}`,
  cut_off: (rows: number) => `${shown(rows)} cut off`,
  echo: (rows: number) => `${shown(rows)} repeating the prompt`,
  placeholder: (rows: number) => `${shown(rows)} with placeholders`,
  other_language: (rows: number) => `${shown(rows)} in another language`,
  off_list: (rows: number) => `${shown(rows)} off the list`,
  unusual_length: (rows: number) => `${shown(rows)} of unusual length`,
  nearly_identical: (rows: number) => `${shown(rows)} nearly identical`,
} as const;
/** What a mark means, beside the answer. */
export const markMeanings = {
  empty: 'The answer has no words or numbers.',
  refusal: 'The model seems to refuse or to lack what it needs.',
  cut_off: 'The answer seems to end too early.',
  echo: 'The answer repeats the prompt.',
  placeholder: 'The answer has a placeholder that is not filled in.',
  other_language: 'The answer is not in the language that the prompt asks for.',
  off_list: 'The model chose something close to the list. The listed option is shown.',
  unusual_length: 'The answer is much longer or shorter than the others of this batch.',
  nearly_identical: 'Many other rows have nearly the same answer.',
} as const;
const shown = (rows: number) => rows.toLocaleString(language);

// One row
export const rowNumber = (row: string) => `Row ${row}`;
export const previousRow = 'Previous row';
export const nextRow = 'Next row';
export const close = 'Close';
export const copyAnswer = 'Copy answer';
export const answerCopied = 'Answer copied.';
export const copyLink = 'Copy link to this row';
export const linkCopied = 'Link copied.';
export const yourRow = 'Your row';
export const empty = 'Empty';
