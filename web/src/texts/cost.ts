import { submissionCount } from './entities.ts';

export const cost = 'Cost';
export const neededOnly = (needed: string) => `${submissionCount(needed)} needed.`;
export const neededAndAvailable = ({ needed, available }: { needed: string; available: string }) =>
  `${submissionCount(needed)} needed, ${available} available.`;
export const likely = (what: string) => `Likely: ${what}`;
export const byRowsTried =
  'Estimated for the remaining rows from the rows you tried. A busy provider takes longer.';
export const quotedRows = { label: 'Rows' } as const;
export const emptyPrompts = { label: 'Empty rows', hint: 'Skipped. They cost nothing.' } as const;
export const tooLongPrompts = {
  label: 'Prompts too long',
  hint: 'They fail and cost nothing.',
} as const;
export const incompleteRows = {
  label: 'Rows with empty values',
  hint: 'At least one column of your prompt is empty. Charged like any other row.',
} as const;
export const duplicates = {
  label: 'Duplicates',
  hint: 'Same prompt as another row; charged like any other.',
} as const;
export const alreadyAnswered = {
  label: 'Already answered',
  hint: 'In a preview of the same prompt.',
} as const;
export const triedRowsRunAgain = (tried: { rows: string; isOne: boolean; leftOut: string }) =>
  `You tried more than this run includes: it leaves out ${tried.leftOut}. Answers of a preview are kept only together, so ${tried.isOne ? 'the other tried row runs and costs' : `the other ${tried.rows} tried rows run and cost`} submissions again. Include every tried row to pay for none twice.`;
export const needed = {
  label: 'Submissions needed',
  hint: 'Rows that fail cost nothing.',
} as const;
export const reserved = {
  label: 'Submissions reserved',
  hint: 'The most this can cost. You pay by the size of each prompt and its answer. Unused submissions return at once.',
} as const;
export const available = { label: 'Available' } as const;
export const leftThisMonth = {
  label: 'Left this month',
  hint: 'Of the monthly limit set for this account.',
} as const;
export const balanceAfter = 'Balance after';
export const nothingToRun = 'Nothing to run: every prompt is empty.';
export const onlyFirstRows = (rows: number, shown: string) =>
  `Only the first ${rows === 1 ? 'row' : `${shown} rows`} will run.`;
export const includeAllRows = 'Include all rows';
export const runRows = (rows: number, shown: string) =>
  `Run ${shown} ${rows === 1 ? 'row' : 'rows'}`;
export const runBar = 'Cost and start';
export const run = 'Run';
export const mayHaveStarted =
  'We don’t know whether the batch started. Start it again: it runs only once.';
export const batchStarted = (name: string) => `Your batch started: ${name}.`;
/** The first rows that run, and how many more. */
export const namedRows = (rows: readonly string[], more: number, shown: string) =>
  `${rows.length === 1 && more === 0 ? 'Row' : 'Rows'} ${rows.join(', ')}${more > 0 ? ` and ${shown} more` : ''}`;
export const runSummary = (facts: {
  rows: string | null;
  needed: number;
  shown: string;
  isPart: boolean;
  skipped: string | null;
  balanceAfter: string | null;
  shortage: string | null;
  time: string | null;
}) =>
  [
    facts.rows,
    `${facts.isPart ? 'Up to ' : ''}${facts.shown} ${facts.needed === 1 ? 'submission' : 'submissions'}`,
    facts.skipped && `${facts.skipped} skipped`,
    facts.balanceAfter && `${facts.balanceAfter} left after`,
    facts.shortage,
    facts.time,
  ]
    .filter((fact) => fact !== null)
    .join(' · ');
export const moreNeeded = (submissions: string, isLimitedByMonth: boolean) =>
  `${submissions} more ${isLimitedByMonth ? 'than the monthly limit leaves' : 'needed for all rows'}`;
export const submissionsShort = (submissions: number, shown: string) =>
  `You’re ${shown} ${submissions === 1 ? 'submission' : 'submissions'} short.`;
export const monthlyLimitLeaves = ({
  limit,
  left,
  until,
}: {
  limit: string;
  left: string;
  until: string;
}) => `The monthly limit of ${submissionCount(limit)} leaves ${left} until ${until}.`;
export const coveredRowsRun = (rows: number, shown: string) =>
  `You can run ${shown} ${rows === 1 ? 'row' : 'rows'} now. The batch then pauses, and you can resume it later.`;
export const noRowCovered = 'That does not cover a single row.';
export const limitToFirstRows = (rows: number, shown: string) =>
  `Limit to the first ${rows === 1 ? 'row' : `${shown} rows`}`;
export const buyCredits = 'Buy Credits';
