export const answerAs = 'Answer as';
export const oneText = 'One text';
export const columns = 'Columns';
export const columnNumber = (number: number) => `Column ${number}`;
export const columnName = 'Name';
export const columnType = 'Type';
export const answerTypes = {
  text: 'Text',
  integer: 'Whole number',
  number: 'Number',
  boolean: 'Yes or no',
  choice: 'One of a list',
  choices: 'Several of a list',
  date: 'Date',
} as const;
export const columnOptions = 'List';
export const columnOptionsHint = 'One entry per line, or separated by commas.';
export const columnDescription = 'What belongs here (optional)';
export const mayBeEmpty = 'May be empty';
export const addColumn = 'Add column';
export const moveColumnUp = (number: number) => `Move column ${number} up`;
export const moveColumnDown = (number: number) => `Move column ${number} down`;
export const removeColumn = (number: number) => `Remove column ${number}`;
export const nameColumns = 'Name at least one column.';
export const formatFindings = {
  obeys: 'This model fills your columns directly.',
  ignores:
    'This model ignores answer formats, so we describe your columns in words after the prompt.',
  refuses:
    'This model does not accept answer formats, so we describe your columns in words after the prompt.',
} as const;
