// On several pages
export const cancel = 'Cancel';
export const buyCredits = 'Buy Credits';
export const search = 'Search';
export const all = 'All';
export const state = 'State';
export const prompt = 'Prompt';
export const answer = 'Answer';
export const waiting = 'Waiting';
export const answered = 'Answered';
export const failed = 'Failed';
export const startedBy = (name: string) => `Started by ${name}`;
export const mayBeOld = (reason: string) => `What you see may be old. ${reason}`;

// The history
export const yourBatches = 'Your batches';
export const batchColumns = {
  batch: 'Batch',
  state: 'State',
  progress: 'Progress',
  charged: 'Charged',
  actions: 'Actions',
} as const;
export const pace = ({ rate, left }: { rate: string; left: string }) => `${rate}, ${left}`;
export const pageIsEmpty = 'This page is empty.';
export const noBatchMatches = 'No batch matches.';
export const showAll = 'Show all batches';
export const noBatches =
  'You have no batches yet. Upload a spreadsheet and ask a question about each of its rows.';
export const createRequest = 'Create a Request';
export const trySample = 'Try the sample';

// A batch
export const allBatches = 'All batches';
export const goneTitle = 'No such batch';
export const gone = 'There is no such batch';
export const whyGone = 'It was deleted, or it belongs to somebody else.';
export const seeYours = 'See your batches';
export const created = (time: string) => `Created ${time}`;
export const ended = (time: string) => `Ended ${time}`;
export const receipt = 'Receipt';
export const providerSays = (words: string) => `The provider says: “${words}”`;
/** Read aloud now and then. */
export const summary = ({ state, progress }: { state: string; progress: string }) =>
  `${state}: ${progress}.`;
export const summaryTimeLeft = (left: string) => `Time left: ${left}.`;

// Its figures
export const notAsked = 'Not asked';
export const charged = 'Charged';
export const held = 'Held';
export const returned = 'Returned';
export const rate = 'Rate';
export const timeLeft = 'Time left';
export const notKnownYet = 'Not known yet';

// Its rate
export const rateComes = 'The rate is drawn here after a few seconds of watching.';
export const highestRate = (rate: string) => `Rate while you watch: at most ${rate}`;
export const noRateYet = 'No rate yet';
export const spanSeconds = (seconds: number) => `${seconds} seconds`;
export const spanMinutes = (minutes: number) => `${minutes} minutes`;
export const rates = ({
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

// Its question
export const question = 'Question';
export const whatIsAsked = 'What is asked';
export const model = 'Model';
export const sheetColumns = 'Columns of the sheet';
export const answerColumns = 'Columns of the answer';
export const oneAnswerColumn = 'One, with the whole answer';

// What can be done with it
export const play = 'Play';
export const pause = 'Pause';
export const resume = 'Resume';
export const stop = 'Stop';
export const more = 'More';
export const retryFailed = (rows: string) => `Retry failed (${rows})`;
export const deleteIt = 'Delete';
export const download = 'Download';
export const resultFormats = {
  csv: 'Results as CSV',
  excel: 'Results as CSV for Excel',
  xlsx: 'Results as XLSX',
  jsonl: 'Results as JSONL',
} as const;
export const originalFile = 'Original file';
export const resultsFileName = ({ name, extension }: { name: string; extension: string }) =>
  `${name} results.${extension}`;
/** Names a button for those who hear one of a long table. */
export const actionOn = ({ action, batch }: { action: string; batch: string }) =>
  `${action}: ${batch}`;

// Why something cannot be done
export const isRunning = 'It is running.';
export const isPaused = 'It is paused.';
export const hasEnded = 'It has ended.';
export const notStarted = 'It has not started.';
export const staysStopped = 'A stopped batch stays stopped.';
export const everyRowDone = 'Every row is done.';
export const onceEnded = 'Possible once it has ended.';
export const stopFirst = 'Stop it first.';
export const noRowFailed = 'No row has failed.';
export const notPossible = 'Not possible in the present state.';

// Before it is done
export const stopQuestion = { title: 'Stop this batch?', confirm: 'Stop the batch' } as const;
export const notDoneYet = ({
  waiting,
  rows,
  name,
}: {
  waiting: string;
  rows: string;
  name: string;
}) => `${waiting} of ${rows} rows of “${name}” are not done yet.`;
export const nothingNew = 'From now on nothing new is sent.';
export const inFlight = 'Rows in flight are settled: charged if they are answered.';
export const heldNow = (held: string) =>
  `The unused submissions return at once. ${held} are held now.`;
export const answersStay = 'The answers so far stay. A stopped batch cannot be resumed.';
export const retryQuestion = {
  title: 'Run the failed rows once more?',
  confirm: 'Retry failed rows',
} as const;
export const retryWords = (rows: number, shown: string) =>
  `${shown} failed ${rows === 1 ? 'row is' : 'rows are'} asked again. Submissions for them are held now; what is not answered this time either costs nothing.`;
export const deleteQuestion = { title: 'Delete this batch?', confirm: 'Delete the batch' } as const;
export const deleteWords = (name: string) =>
  `“${name}” is deleted with its prompts and answers, for good. What it was charged stays in your records. Download the results first if you still need them.`;

// After it is done
export const nowRunning = 'The batch is running.';
export const nowPaused = 'The batch is paused. Rows in flight are still settled.';
export const retried = 'The failed rows are running once more.';
export const deleted = 'The batch is deleted.';
export const stopped = 'The batch is stopped.';
export const submissionsBack = (submissions: string) => `${submissions} submissions are back.`;

// Its rows
export const rows = 'Rows';
export const searchRows = 'Search answers and reasons';
export const show = 'Show';
export const filterOf = ({ words, rows }: { words: string; rows: string }) => `${words} (${rows})`;
export const noRowMatches = 'No row matches.';
export const matchingRows = (rows: number, shown: string) =>
  `${shown} ${rows === 1 ? 'row' : 'rows'}`;
export const firstListed = ({ rows, lines }: { rows: string; lines: string }) =>
  `${rows} rows, of which the first ${lines} are listed. Narrow them by search, or download all.`;
export const row = 'Row';
export const answerOrReason = 'Answer or reason';
export const rowsNotLoaded = 'Some rows could not be loaded.';
export const tryAgain = 'Try again';
export const openRow = (row: string) => `Open row ${row}`;
export const rowLoads = 'Row is loading';

// One row
export const rowNumber = (row: string) => `Row ${row}`;
export const rowLeft = 'This row is not in the list any more.';
export const previousRow = 'Previous row';
export const nextRow = 'Next row';
export const close = 'Close';
export const cells = 'Cells';
export const columnNumber = (column: number) => `Column ${column}`;
export const empty = 'Empty';
