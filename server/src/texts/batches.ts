import type { BatchState, PauseReason } from '@rowmill/contract';
import { formatNumber, formatSubmissions } from './numbers.ts';

// Quotes and starts
export const chooseAction = 'With a file, set exactly one of preview, quote or start.';
export const chooseSheet = 'Name the sheet: the other fields need one.';
export const writePrompt = 'Write the prompt to fill in for every row.';
export const noSuchRow = (rows: number) =>
  `The last row of the sheet is ${formatNumber(rows - 1)}: rows are numbered from 0.`;
export const noSuchColumn = 'There is no such column: they are numbered from 0.';
export const noRowsChosen = 'There are no such rows to run.';
export const batchToRunAgainIsGone =
  'The batch whose rows are to run again was deleted. Run the whole sheet instead.';
export const notEnoughCredits = (needed: number, available: number) =>
  `This needs ${formatSubmissions(needed)}. The balance has ${formatNumber(available)}. Buy more, or do less at a time.`;
/** A batch that runs rows of another one again, the first time or a later one. */
interface NameAgain {
  name: string;
  extension: string;
  time: number;
}
export const nameAgain = ({ name, extension, time }: NameAgain) =>
  `${name} (${time === 1 ? 'again' : `again ${time}`})${extension}`;
export const changedDuringPreview =
  'The batch changed while this row was being answered. Nothing was charged.';

// Actions on a batch
const states: Record<BatchState, string> = {
  ready: 'has not started yet',
  running: 'is running',
  paused: 'is paused',
  stopped: 'was stopped',
  completed: 'is complete',
};
export const notInState = (state: BatchState) => `Not possible now: the batch ${states[state]}.`;
export const rowsStillFinishing =
  'The last rows of this batch are still finishing. Try again in a moment.';
export const renamed = 'Batch renamed.';
export const deleted = 'Batch deleted.';
export const paused = 'The batch is paused. Rows already sent will finish.';
export const retrying = 'Retrying the failed rows.';
const played: Partial<Record<BatchState, string>> = { completed: 'The batch is complete.' };
export const playing = (state: BatchState) => played[state] ?? 'The batch is running.';
export const stopped = (returned: number) =>
  returned > 0
    ? `Batch stopped. Back in your balance: ${formatSubmissions(returned)}.`
    : 'Batch stopped.';
export const optionsChanged = 'Options changed.';
export const otherPrice = (price: number, tokens: number | null) =>
  `This batch costs ${formatSubmissions(price)} ${tokens === null ? 'per row' : `per ${formatNumber(tokens)} tokens`}. Choose a model at that price.`;
export const longerThanReserved =
  'These rows could cost more than is reserved for them. Lower the maximum answer length or shorten the instructions.';
export const columnsAreAnswered =
  'Some rows already have answers in these columns. Start a new batch to change the columns.';

// Rows
export const nothingToAsk = 'Nothing to ask: all columns of the prompt are empty. Not charged.';
const tooLong = (length: string, limit: string) =>
  `The prompt has ${length} characters; the limit is ${limit}. Not sent, not charged.`;
export const promptTooLong = (length: number, limit: number) =>
  tooLong(formatNumber(length), formatNumber(limit));
/** Matches each of them in SQL. */
export const anyPromptTooLong = tooLong('%', '%');
export const crashedTooOften = (times: number) =>
  `The server crashed ${times} times on this row, so it was not tried again.`;
/** Why a batch is paused. */
export const mostUnusable =
  'Most answers do not fit the answer columns. Change the instructions or the model, or start again with other columns. You can resume after at most an hour.';

// Result files
export const answerColumn = 'Answer';
export const problemColumn = 'Problem';
/** In result files, if the person includes them. */
export const judgementColumns = ['Judgement', 'Note'];
export const originalAnswer = 'Original answer';
export const originalAnswerOf = (column: string) => `${originalAnswer}: ${column}`;
export const judged = (rows: number) => (rows === 1 ? 'Saved.' : `Saved for ${rows} rows.`);
export const nothingToJudge = 'Only answered rows can be judged or corrected.';
export const correctOneRow = 'Correct one row at a time.';
export const correctEachColumn = (columns: number) =>
  `Send one text for each answer column of the batch: ${columns}.`;
export const notOfType = (type: string) => `Must be ${type}.`;
export const mustBeFilled = 'Must not be empty.';
export const tooMuchNoted = 'Choose fewer rows at once, or a shorter note.';
export const marksColumn = 'Marks';
export const tokenColumns = ['Input tokens', 'Cached tokens', 'Output tokens', 'Reasoning tokens'];
export const tooManyRowsForWorkbook = (rows: number) =>
  `An Excel workbook holds at most ${formatNumber(rows)} rows, and this sheet has more. Choose CSV or JSONL.`;
export const unchangedIsCsv = 'Your file unchanged, plus columns, is CSV. Choose the format csv.';
export const unchangedWorkbook =
  'This sheet is a workbook, and columns can only be added unchanged to a text file. Download XLSX or CSV.';
export const unchangedJsonLines =
  'This sheet is a JSON Lines file, which has no columns to add to. Download JSONL or CSV.';
export const unchangedDelimiter =
  'This file has one column, and its text uses every delimiter. No column can be added without changing it. Download XLSX or CSV.';
export const encodingWithState = (encoding: string) =>
  `Text cannot be added to a file in the encoding ${encoding}. Download XLSX or CSV.`;
export const charactersReplaced = (encoding: string) =>
  `Some characters do not exist in ${encoding} and were replaced. XLSX and CSV have them all.`;
export const cutMark = ' … [cut, see the sheet “Notes”]';
export const allCellsAreText =
  'The cells of your sheet are text: leading zeros, long numbers and dates are unchanged.';
export const cellsCut = (count: number, maximumLength: number) =>
  `A workbook cell holds at most ${formatNumber(maximumLength)} characters. ${
    count === 1 ? '1 longer text was' : `${formatNumber(count)} longer texts were`
  } cut; the CSV and JSONL files contain the full text.`;
export const firstCuts = (count: number) => `The first ${formatNumber(count)} of them:`;
export const cutTable = ['Cell', 'Characters'];

// Emails
interface Recipient {
  first_name: string;
  email: string;
}

interface EmailedBatch {
  name: string;
  answered: number;
  failed: number;
  skipped: number;
  charged: number;
  pause_reason: PauseReason | null;
  pause_detail: string | null;
}

type Counts = Pick<EmailedBatch, 'answered' | 'failed' | 'skipped'>;
const countsOf = ({ answered, failed, skipped }: Counts) =>
  [
    `${formatNumber(answered)} answered`,
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
    ...(skipped > 0 ? [`${formatNumber(skipped)} empty and skipped`] : []),
  ].join(', ');
const freeRows = ({ failed, skipped }: Counts) => {
  if (failed > 0)
    return skipped > 0 ? ' Failed and empty rows cost nothing.' : ' Failed rows cost nothing.';
  return skipped > 0 ? ' Empty rows cost nothing.' : '';
};
export const batchDone = ({ name, ...counts }: Omit<EmailedBatch, 'charged' | 'pause_reason'>) =>
  `${name} is done: ${countsOf(counts)}.`;
export const batchPaused = ({ name }: Pick<EmailedBatch, 'name'>) => `${name} is paused.`;
export const batchResumed = ({ name }: Pick<EmailedBatch, 'name'>) => `${name} is running again.`;

const listedBatches = 20;

/** Several batches since the last email. */
export const digestEmail = (
  { first_name, email }: Recipient,
  lines: readonly string[],
  url: string,
) => ({
  subject: `News about ${formatNumber(lines.length)} batches`,
  greeting: `Hello ${first_name},`,
  paragraphs: [
    `There is news about ${formatNumber(lines.length)} of your batches.`,
    ...lines.slice(0, listedBatches),
    ...(lines.length > listedBatches
      ? [`And ${formatNumber(lines.length - listedBatches)} more.`]
      : []),
  ],
  action: { label: 'See your batches', url },
  reason: `We sent this email to ${email} because batches on your account finished or were paused. You can turn these emails off in your profile.`,
});

export const completedEmail = (
  { first_name, email }: Recipient,
  { name, charged, ...counts }: EmailedBatch,
  url: string,
) => ({
  subject: `Your batch ${name} is done`,
  greeting: `Hello ${first_name},`,
  paragraphs: [
    `Your batch ${name} is done: ${countsOf(counts)}.`,
    `It used ${formatSubmissions(charged)}.${freeRows(counts)}`,
  ],
  action: { label: 'See the answers', url },
  reason: `We sent this email to ${email} because a batch on your account finished. You can turn these emails off in your profile.`,
});

export const noEconomy = 'This model is not offered with a deadline.';
export const deadlineRange = 'Choose a time between 4 hours and 7 days from now.';

const pauseReasons: Record<Exclude<PauseReason, 'person'>, string> = {
  needs_credits:
    'It has used all the submissions reserved for it. Buy more, then resume the batch.',
  provider_refused:
    'We cannot use the model right now. No row is lost, and the batch resumes by itself when we have fixed this.',
  request_refused:
    'The model of this batch does not work with its options. No row is lost: change the options, then resume it.',
  provider_down:
    'The model provider is not responding. The batch resumes by itself when the provider recovers.',
  no_capacity: 'The model has no capacity at half price right now. The batch resumes by itself.',
  storage_full:
    'There is no disk space left to store answers. The batch resumes by itself when there is space again.',
  sheet_unreadable:
    'We cannot read its stored sheet. The answers so far are safe. Resume it to try again. If it pauses again, contact us.',
};

/** A detail of missing submissions is the monthly limit. */
function describePause(reason: PauseReason | null, detail: string | null): string {
  if (reason === null || reason === 'person') return '';
  if (reason === 'needs_credits' && detail)
    return `${detail} Resume it when the limit allows more.`;
  return pauseReasons[reason];
}

export const pausedEmail = (
  { first_name, email }: Recipient,
  { name, answered, pause_reason: reason, pause_detail: detail }: EmailedBatch,
  url: string,
) => ({
  subject: `Your batch ${name} is paused`,
  greeting: `Hello ${first_name},`,
  paragraphs: [
    `Your batch ${name} paused after ${formatNumber(answered)} ${answered === 1 ? 'answer' : 'answers'}.`,
    describePause(reason, detail),
  ],
  action: { label: 'See the batch', url },
  reason: `We sent this email to ${email} because a batch on your account paused. You can turn these emails off in your profile.`,
});

export const resumedEmail = (
  { first_name, email }: Recipient,
  { name }: EmailedBatch,
  url: string,
) => ({
  subject: `Your batch ${name} is running again`,
  greeting: `Hello ${first_name},`,
  paragraphs: [
    `We can use the model again, and your batch ${name} has resumed by itself. You don’t need to do anything.`,
  ],
  action: { label: 'See the batch', url },
  reason: `We sent this email to ${email} because a paused batch on your account resumed. You can turn these emails off in your profile.`,
});
