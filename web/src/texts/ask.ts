import { language } from './language.ts';

// On several parts of the page
export const cancel = 'Cancel';
export const answering = 'Answering …';
export const rows = (rows: number, shown: string) => `${shown} ${rows === 1 ? 'row' : 'rows'}`;
/** The names of columns or variables, as a sentence lists them. */
export const listed = (names: readonly string[]) =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(names.map((name) => `“${name}”`));

// The page
export const kinds = 'Kind of request';
export const wholeSheet = 'A whole sheet';
export const oneQuestion = 'One question';

// What a step waits for
export const sheetFirst = 'Choose a sheet first.';
export const readingFirst = 'Say first how the sheet is to be read.';
export const noRows = 'The sheet has no rows. Choose another one.';
export const questionFirst = 'Write a question first.';
export const waitingForVariables = 'Waiting for your kept variables.';
export const correctQuestionFirst = (names: string) =>
  `Nothing is called ${names}. Correct the question first.`;
export const correctOptionsFirst = 'Correct the options first.';

// Sheet: choosing
export const sheetStep = 'Sheet';
export const dropOrChoose = '{drop}, or choose one.';
export const drop = 'Drop a CSV file here';
export const chooseFile = 'Choose a file';
export const takeSample = 'Use the sample sheet';
export const limits = ({
  megabytes,
  rows,
  columns,
}: {
  megabytes: number;
  rows: string;
  columns: number;
}) => `Up to ${megabytes} MB, ${rows} rows and ${columns} columns.`;
export const separators = 'Separated by comma, semicolon, tab or bar.';
export const sheet = 'Sheet';
export const oneAtATime = (name: string) => `One sheet at a time: ${name} is taken.`;
export const pasteInstead = 'Paste text instead';
export const pastedRows = 'Rows';
export const pasteHint =
  'The first line names the columns. Cells copied from a spreadsheet are fine.';
export const pasteFirst = 'Paste some rows first.';
export const takeText = 'Use this text';
export const pastedName = 'pasted.csv';
export const isEmpty = (name: string) => `${name} is empty. Choose a file with at least one row.`;
export const isTooLarge = (name: string, megabytes: number) =>
  `${name} is larger than ${megabytes} MB. Split it, and upload the parts.`;
export const isWorkbook = (name: string) =>
  `${name} is a workbook. Save its sheet as CSV, and upload that.`;

// Sheet: the sample
export const sampleName = 'sample-products.csv';
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
/** What the tour asks about each of them, by the names of their columns. */
export const sampleQuestion =
  'Write one friendly sentence that makes people want the {{Name}}, made of {{Material}}.';

// Sheet: sending
export const uploading = 'Uploading';
export const percent = (percent: number) => `${percent} %`;
export const checking = (name: string) => `Checking ${name} …`;

// Sheet: how it was read
export const columns = (columns: number, shown: string) =>
  `${shown} ${columns === 1 ? 'column' : 'columns'}`;
export const blankRows = (rows: number, shown: string) =>
  `${shown} ${rows === 1 ? 'blank row' : 'blank rows'}`;
export const chooseOther = 'Choose another file';
export const firstRows = 'First rows of the sheet';
export const oneProblem = 'One thing to look at';
export const problems = (problems: string) => `${problems} things to look at`;
export const moreProblems = (problems: string) => `and ${problems} more`;
export const problemLine = (line: string) => `Line ${line}`;
export const problemColumn = (column: string) => `column “${column}”`;
export const problemAt = (place: string) => `${place}: `;
export const readingUnsure =
  'This file can be read in more than one way. Choose the reading in which all letters and columns look right.';
export const sampleReadAs = (dialect: string) => `Sample, read as ${dialect}`;
export const readAs = (dialect: string) => `Read it as ${dialect}`;
export const readDifferently = 'Read it differently';
export const readAnew = 'Read it anew';
export const encoding = 'Encoding';
export const delimiter = 'Delimiter';
export const isHeader = 'Is the first line a header?';
export const headerYes = 'Yes, it names the columns';
export const headerNo = 'No, it is a row like the others';
export const dialect = ({ encoding, delimiter }: { encoding: string; delimiter: string }) =>
  `${encoding}, ${delimiter}`;
export const comma = 'Comma';
export const semicolon = 'Semicolon';
export const tab = 'Tab';
export const bar = 'Bar';
export const delimiterOfFile = (delimiter: string) => `As the file says: ${delimiter}`;
export const utf8 = 'UTF-8';
export const utf16LittleEndian = 'UTF-16, little endian';
export const utf16BigEndian = 'UTF-16, big endian';
export const westernEuropean = (name: string) => `Western European (${name})`;
export const centralEuropean = (name: string) => `Central European (${name})`;
export const cyrillic = (name: string) => `Cyrillic (${name})`;
export const simplifiedChinese = (name: string) => `Chinese, simplified (${name})`;
export const traditionalChinese = (name: string) => `Chinese, traditional (${name})`;
export const japanese = (name: string) => `Japanese (${name})`;
export const korean = (name: string) => `Korean (${name})`;

// Question
export const questionStep = 'Question';
export const questionForEachRow = 'Question for each row';
export const notCalled = (names: string) =>
  `Neither a column nor a kept variable is called ${names}.`;
export const typeBraces = 'Type {{ to choose a column. Each row fills it with its own text.';
export const openBraces = 'A {{ is not closed by }} and would be asked as it stands.';
export const noColumnUsed = 'No column is used: every row asks the same. Type {{ to choose one.';
export const notUsed = (names: string) => `Not used: ${names}.`;
export const notUsedAndMore = (names: string, more: number) =>
  `Not used: ${names}, and ${more} more.`;
export const columnsAndVariables = 'Columns and variables';
export const namesFit = (names: number) =>
  `${names} ${names === 1 ? 'name fits' : 'names fit'}. Arrow keys choose, Enter takes one.`;
export const insertColumn = 'Insert a column';
export const insertVariable = 'Insert a kept variable';

// Question: the model
export const model = 'Model';
export const noModel = 'No model can be asked at present.';
export const demoModel = (name: string) => `Demo model: no AI (${name})`;
export const modelPrice = (model: string, submissions: number) =>
  `${model}, ${submissions} ${submissions === 1 ? 'submission' : 'submissions'} a row`;

// Question: recent ones
export const recent = 'Recent questions';
export const wasReplaced = 'The question above was replaced.';
export const putBack = 'Put mine back';
export const noneAsked = 'You have not asked anything yet. Your last ten questions will be here.';
export const askedWhen = ({ time, rows }: { time: string; rows: string }) => `${time}, ${rows}`;

// Question: kept variables
export const keptVariables = 'Kept variables';
export const noVariables =
  'None yet. Keep a text here, such as a tone of voice, and use it in every question by its name.';
export const columnGoesFirst = '(the column of this name goes first)';
export const edit = 'Edit';
export const editNamed = (name: string) => `Edit ${name}`;
export const remove = 'Remove';
export const removeNamed = (name: string) => `Remove ${name}`;
export const removeTitle = (name: string) => `Remove “${name}”`;
export const whatRemovingDoes =
  'Its text is deleted. Questions that use it must be changed before they can be asked again.';
export const keepNew = 'Keep a new variable';
export const changeNamed = (name: string) => `Change “${name}”`;
export const variableName = 'Name';
export const variableText = 'Text';
export const fillIn = 'Please fill this in.';
export const keepIt = 'Keep it';
export const isKept = (name: string) => `“${name}” is kept.`;

// Question: options
export const options = 'Options';
export const instruction = {
  label: 'Instruction before every question',
  hint: 'Such as who is answering, for whom, and in which form.',
} as const;
export const temperature = {
  label: 'Temperature',
  hint: '0 to 2. Lower is steadier, higher is freer.',
} as const;
export const longestAnswer = {
  label: 'Longest answer, in tokens',
  hint: 'A token is about four letters.',
} as const;
export const onlyFirstRows = {
  label: 'Only the first rows',
  hint: 'How many. Empty for all.',
} as const;
export const answerColumns = {
  label: 'Columns of the answer',
  hint: 'Names, separated by commas. Empty for one column.',
} as const;
export const sameColumns = 'Each column needs a name of its own.';

// Check
export const checkStep = 'Check';
export const rowOf = (rows: string) => `Row (of ${rows})`;
export const previous = 'Previous';
export const next = 'Next';
export const askedForRow = (row: string) => `What is asked for row ${row}`;
export const rowIsEmpty = 'This row is empty.';
export const tryRows =
  'Try it on this row and those after it. An answered row is charged now, and not again when the batch runs.';
export const rowsToAnswer = 'Rows to answer';
export const answerNow = (rows: number) => `Answer ${rows} ${rows === 1 ? 'row' : 'rows'} now`;
export const rowsAnswered = ({ good, rows }: { good: number; rows: number }) =>
  `${good} of ${rows} ${rows === 1 ? 'row is' : 'rows are'} answered.`;
export const answersAreOld =
  'You have changed something since. These answers are to what was asked before.';
export const rowNumber = (row: string) => `Row ${row}`;
export const noAnswer = 'No answer.';

// Confirm
export const confirmStep = 'Confirm';
export const cost = 'What it costs';
export const costInWords = ({ needed, available }: { needed: string; available: string }) =>
  `${needed} submissions needed, ${available} available.`;
export const allRows = { words: 'Rows' } as const;
export const blank = { words: 'Blank rows', hint: 'Left out. They cost nothing.' } as const;
export const duplicates = {
  words: 'Duplicates',
  hint: 'They ask what another row asks, and are charged like every row.',
} as const;
export const answered = {
  words: 'Answered already',
  hint: 'By a preview of the same question.',
} as const;
export const needed = {
  words: 'Submissions needed',
  hint: 'A row that fails is not charged.',
} as const;
export const available = { words: 'Available' } as const;
export const balanceAfter = 'Balance after';
export const allBlank = 'There is nothing to ask: all rows are blank.';
export const onlyFirst = (rows: number, shown: string) =>
  `Only the first ${shown} ${rows === 1 ? 'row is' : 'rows are'} asked.`;
export const askAll = 'Ask all rows';
export const start = 'Start';
export const noQuote = 'The server gave no quote. Please try again.';
export const missing = (submissions: number, shown: string) =>
  `${shown} ${submissions === 1 ? 'submission is' : 'submissions are'} missing.`;
export const covers = (rows: number, shown: string) =>
  `Your balance covers ${shown} ${rows === 1 ? 'row' : 'rows'}. Start with them, and the batch waits for more submissions when they are used up.`;
export const coversNone = 'Your balance does not cover a single row.';
export const startWith = (rows: string) => `Start with ${rows}`;
export const askOnlyFirst = (rows: string) => `Ask only the first ${rows}`;
export const buyCredits = 'Buy Credits';

// One question
export const askOne = 'Ask one question';
export const yourQuestion = 'Your question';
export const noSuchVariable = (names: string) => `No kept variable is called ${names}.`;
export const answeredAtOnce = 'Answered at once, and charged like one row.';
export const ask = 'Ask';
export const answer = 'Answer';
export const submissionsAfter = (submissions: string) =>
  `Balance after: ${submissions} submissions.`;
