import { submissionCount } from './entities.ts';
import { language } from './language.ts';

// On several parts of the page
export const cancel = 'Cancel';
export const answering = 'Answering…';

/** Names of columns or variables in a sentence: “Name”, “Price” and “Size”. */
const nameList = (names: readonly string[], type: Intl.ListFormatOptions['type'] = 'conjunction') =>
  new Intl.ListFormat(language, { type }).format(names.map((name) => `“${name}”`));

// The page
export const kindOfRequest = 'Kind of request';
export const wholeSheet = 'A whole sheet';
export const oneQuestion = 'One question';

// What a request waits for
export const chooseSheetFirst = 'Choose a sheet first.';
export const confirmReadingFirst = 'Confirm how to read this file first.';
export const sheetHasNoRows = 'This sheet has no rows. Choose another one.';
export const otherFileFirst = 'Choose the other file, or keep this one.';
export const writePromptFirst = 'Write a prompt first.';
export const loadingVariables = 'Your saved variables are not loaded yet.';
export const fixUnknownNames = (names: readonly string[]) =>
  `Unknown ${names.length === 1 ? 'name' : 'names'}: ${nameList(names)}. Fix the prompt to continue.`;
export const fixAdvancedFirst = 'Fix the answer columns or the advanced settings to continue.';

// Sheet: choosing
export const sheetStep = 'Sheet';
export const dropOrChoose = '{drop}, or choose one.';
export const dropFile = 'Drop a workbook (XLSX) or CSV file here';
export const chooseFile = 'Choose a file';
export const useSample = 'Use the sample sheet';
export const uploadLimits = ({
  megabytes,
  rows,
  columns,
}: {
  megabytes: number;
  rows: string;
  columns: number;
}) => `Up to ${megabytes} MB, ${rows} rows and ${columns} columns.`;
export const separatedBy = 'Separated by commas, semicolons, tabs or pipes.';
export const sheet = 'Sheet';
export const oneSheetAtATime = (name: string) => `One sheet at a time: uploading only ${name}.`;
export const pasteText = 'Paste text instead';
export const pastedRows = 'Rows';
export const pasteHint =
  'The first line names the columns. You can paste cells copied from a spreadsheet.';
export const pasteRowsFirst = 'Paste some rows first.';
export const pasteMoreThanACell =
  'That is a single cell. Copy the header and at least one row below it, then paste them here.';
export const pasteCells = 'Or copy cells in your spreadsheet and paste them here.';
export const useText = 'Use this text';
export const pastedFileName = 'pasted.csv';
export const fileIsEmpty = (name: string) =>
  `${name} is empty. Choose a file with at least one row.`;
export const fileIsTooLarge = (name: string, megabytes: number) =>
  `${name} is larger than ${megabytes} MB. Split it and upload the parts.`;
export const saveAsWorkbook = (name: string) =>
  `${name} can’t be read. Save it as XLSX or CSV in your spreadsheet program and upload that.`;
export const exportTable = (name: string) =>
  `${name} is not a table. Upload the table as XLSX or CSV.`;
export const jsonIsNoTable = (name: string) =>
  `${name} is JSON, not a table. Upload CSV, XLSX or JSON Lines (.jsonl).`;
export const unpackFirst = (name: string) =>
  `${name} is an archive. Unpack it and upload the sheet inside.`;

// Sheet: the sample
export const sampleFileName = 'sample-products.csv';
export const sampleRows = `Name,Material,Price
Arran teapot,"Stoneware, glazed",34.00
Bellwood desk lamp,Brass and linen,89.50
Calder rain jacket,Recycled nylon,120.00
Dunmore wool blanket,Lambswool,75.00
Elm serving board,Oiled elm,42.00
Fennel garden trowel,Ash and steel,18.90
Glenfield backpack,Waxed cotton,110.00
Harbour notebook,Recycled paper,9.50
Inver candle,Beeswax,14.00
Jura whisky glass,Lead-free crystal,22.00
Kestrel pocket knife,Olive wood and steel,55.00
Linden toy boat,Lime wood,27.50
`;
/** Uses the columns of the sample by name. */
export const samplePrompt =
  'Write one friendly sentence that makes people want the {{Name}}, made of {{Material}}.';

// Sheet: uploading
export const uploading = 'Uploading';
export const percent = (percent: number) => `${percent}%`;
export const storedSheet = (name: string) => `${name} is uploaded. You find it under Sheets.`;
export const readingFile = (name: string) => `Reading ${name}…`;

// Sheet: what was read
export const columns = (columns: number, shown: string) =>
  `${shown} ${columns === 1 ? 'column' : 'columns'}`;
export const emptyRows = (rows: number, shown: string) =>
  `${shown} ${rows === 1 ? 'empty row' : 'empty rows'}`;
export const changeFile = 'Change file';
export const keepThisSheet = (name: string) => `Keep ${name}`;
export const rowsOfSheet = 'Rows of the sheet';
export const tryAgain = 'Try again';

// Sheet: import settings
export const severalReadings =
  'This file can be read in more than one way. These cells differ: pick the reading that looks right.';
export const sampleReadAs = (dialect: string) => `Sample read as ${dialect}`;
export const readAs = (dialect: string) => `Read as ${dialect}`;
export const severalWorksheets = 'This workbook has several sheets. Choose the one to use.';
export const worksheet = 'Sheet of the workbook';
export const takeWorksheet = (name: string) => `Use “${name}”`;
export const firstRowsOf = (name: string) => `First rows of “${name}”`;
export const hiddenWorksheet = (name: string) => `${name} (hidden)`;
export const fromWorksheet = (name: string) => `sheet “${name}”`;
export const jsonLines = 'JSON Lines';
export const importSettings = 'Import settings';
export const apply = 'Apply';
export const encoding = 'Encoding';
export const delimiter = 'Delimiter';
export const firstRowIsHeader = 'First row is a header';
export const dialect = ({ encoding, delimiter }: { encoding: string; delimiter: string }) =>
  `${encoding}, ${delimiter}`;
export const comma = 'Comma';
export const semicolon = 'Semicolon';
export const tab = 'Tab';
export const pipe = 'Pipe';
export const declaredDelimiter = (delimiter: string) => `Declared in the file: ${delimiter}`;

// Prompt
export const promptStep = 'Prompt';
export const promptForEachRow = 'Prompt for each row';
export const noColumnOrVariable = (names: readonly string[]) =>
  `There’s no column or saved variable named ${nameList(names, 'disjunction')}.`;
export const typeBraces = 'Type {{ to insert a column. It is replaced with each row’s value.';
export const closeBraces = 'Close the {{ with }}.';
export const noColumnUsed = 'Every row gets the same prompt. Type {{ to insert a column.';
export const cannotBeInserted = (names: readonly string[]) =>
  `A prompt cannot insert ${nameList(names.slice(0, 3), 'disjunction')}. Remove the braces from the header and upload the file again.`;
export const columnsAndVariables = 'Columns and variables';
export const namesMatch = (names: number) =>
  `${names} ${names === 1 ? 'name matches' : 'names match'}. Choose with the arrow keys, insert with Enter.`;
export const insertColumn = 'Insert a column';
export const insertVariable = 'Insert a saved variable';

// Prompt: recent ones
export const recentPrompts = 'Recent prompts';
export const promptReplaced = 'Your prompt was replaced.';
export const undo = 'Undo';
export const noRecentPrompts = 'No prompts yet. Your last ten will appear here.';
export const timeAndRows = ({ time, rows }: { time: string; rows: string }) => `${time}, ${rows}`;

export const allPrompts = 'All prompts';

// All prompts
export const yourPrompts = 'Your prompts';
export const newRequest = 'New request';
export const searchPrompts = 'Search prompts';
export const searchPromptsHint = 'Words in a prompt';
export const useAgain = 'Use again';
export const oneQuestionFor = (charged: number, shown: string) =>
  `one question, ${shown} ${charged === 1 ? 'submission' : 'submissions'}`;
export const answerIsCut = (shown: string) => `These are the first ${shown} characters.`;
export const promptIsCut = 'Only the start of this prompt was kept, because it got no answer.';
export const noPrompts = 'No prompts yet. Prompts that you run appear here.';
export const promptsSearched = (prompts: string) => `Searched the newest ${prompts} prompts.`;
export const noMatchingPrompts = 'No matching prompts.';
export const showAllPrompts = 'Show all prompts';

// Prompt: saved variables
export const savedVariables = 'Saved variables';
export const noVariables =
  'None yet. Save a text, such as a tone of voice, and use it by name in any prompt.';
export const columnTakesPrecedence = '(a column with this name takes precedence)';
export const edit = 'Edit';
export const editNamed = (name: string) => `Edit ${name}`;
export const remove = 'Remove';
export const removeNamed = (name: string) => `Remove ${name}`;
export const removeVariable = (name: string) => `Remove “${name}”?`;
export const promptsNeedChange =
  'Its text is deleted. Prompts that use it will not run until you change them.';
export const addVariable = 'Add variable';
export const editVariable = (name: string) => `Edit “${name}”`;
export const variableName = 'Name';
export const variableTaken =
  'You have saved a variable with this name. Choose another name, or edit that one.';
export const variableText = 'Text';
export const enterText = 'Please enter a text.';
export const save = 'Save';

// Prompt: advanced settings
export const advanced = 'Advanced';

// Preview
export const previewStep = 'Preview';
export const rowOf = (rows: string) => `Row (of ${rows})`;
export const previous = 'Previous';
export const next = 'Next';
export const promptForRow = (row: string) => `Prompt for row ${row}`;
export const rowIsEmpty = 'This row is empty.';
export const previewCost = (row: string) =>
  `Starts with row ${row}. You pay for these answers now, not again in the batch.`;
export const rowsToTry = 'Rows to try';
export const tryRows = (rows: number) => `Try ${rows} ${rows === 1 ? 'row' : 'rows'}`;
export const rowsAnswered = ({ answered, rows }: { answered: number; rows: number }) =>
  `${answered} of ${rows} answered.`;
export const triedRows = 'Rows tried:';
export const previewOutOfDate = 'Preview out of date. Run it again to see your changes.';
export const answerForRow = (row: string) => `Answer for row ${row}`;
export const tryRandomRows = (rows: number) => `Try ${rows} random rows`;
export const noAnswer = 'No answer.';
export const emptyValue = 'Empty';

export const promptTooLong = 'This prompt is too long to send. Shorten it or use fewer columns.';
export const noQuote = 'The server returned no quote. Please try again.';

// One question
export const askOneQuestion = 'Ask one question';
export const yourQuestion = 'Your question';
export const noVariable = (names: readonly string[]) =>
  `There’s no saved variable named ${nameList(names, 'disjunction')}.`;
export const answeredImmediately = 'Answered immediately and charged like one row.';
export const answeredForAtMost = (most: string) =>
  `Answered immediately. Costs ${most} at most, by the size of prompt and answer.`;
export const ask = 'Ask';
export const answer = 'Answer';
export const allAnswers = 'All prompts and answers';
export const submissionsLeft = (submissions: string) =>
  `Balance after: ${submissionCount(submissions)}.`;
