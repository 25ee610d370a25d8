// Sorting and filtering the rows of a batch
export const filter = 'Filter';
export const column = 'Column';
export const sort = 'Sort';
export const orders = {
  ascending: 'A–Z',
  descending: 'Z–A',
  shortest: 'Shortest',
  longest: 'Longest',
} as const;
export const numberOrders = { ascending: 'Lowest', descending: 'Highest' } as const;
export const test = 'Show rows where it';
export const tests = {
  contains: 'contains',
  equals: 'is',
  empty: 'is empty',
  filled: 'is not empty',
} as const;
export const text = 'Text';
export const enterText = 'Enter a text.';
export const searchedStart = 'Only the first 1,000 characters of each cell are searched.';
export const applyFilter = 'Apply';
export const clearFilter = 'Clear';
export const values = 'Values';
export const tooManyValues = (most: number) =>
  `More than ${most} different values. Filter by a text instead.`;
export const condition = {
  contains: (column: string, value: string) => `${column} contains “${value}”`,
  equals: (column: string, value: string) => `${column} is “${value}”`,
  empty: (column: string) => `${column} is empty`,
  filled: (column: string) => `${column} is not empty`,
} as const;
export const removeFilter = (filter: string) => `Remove filter: ${filter}`;
/** Columns to filter by that the grid does not show. */
export const hiddenColumns = {
  problem: 'Problem',
  note: 'Note',
  correction: 'Correction',
} as const;

// Judging answers
export const judgement = 'Judgement';
export const noMarks = 'No marks or judgements yet';
export const judgementNames = { right: 'Right', wrong: 'Wrong', later: 'Later' } as const;
/** Each with its key. */
export const judgeAs = {
  right: { label: judgementNames.right, key: 'R' },
  wrong: { label: judgementNames.wrong, key: 'W' },
  later: { label: judgementNames.later, key: 'L' },
} as const;
export const rowsFound = (found: string, rows: string) => `${found} of ${rows} rows`;
export const judgedRows = (judgement: keyof typeof judgementNames, rows: string) =>
  `${judgementNames[judgement]} (${rows})`;
export const judgementsNotSaved = (count: string) =>
  count === '1' ? '1 judgement is not saved.' : `${count} judgements are not saved.`;
export const saveAgain = 'Save again';
export const correctAndNote = 'Correct or add a note';
export const changedElsewhere =
  'This was changed elsewhere in the meantime. Saving replaces that change.';
export const correctedAnswer = 'Corrected';
export const undoCorrection = 'Undo correction';
export const note = 'Note';
export const save = 'Save';
export const runWrong = (rows: string) => `${rows} judged wrong`;
export const printHasRowsInView =
  'Only the rows on screen are printed. Download the results to get all rows.';
