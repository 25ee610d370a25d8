export const copyFailed =
  'The browser did not allow copying. Select the text and copy it yourself.';
export const product = 'Rowmill';
export const cancel = 'Cancel';
export const save = 'Save';
export const actionOn = ({ action, entry }: { action: string; entry: string }) =>
  `${action}: ${entry}`;

// A form in a dialog, saved by another person meanwhile or left
export const showCurrent = 'Show the current version';
export const discardTitle = 'Discard your changes?';
export const discardText = 'What you entered here has not been saved.';
export const discard = 'Discard';
export const keepEditing = 'Keep editing';

// Loading
export const waitsForConnection = 'This loads when you are back online.';
export const loading = 'Loading';
export const tryAgain = 'Try again';
export const mayBeOutdated = (error: string) => `This may be out of date. ${error}`;

// The pages of a list
export const pages = 'Pages';
export const previous = 'Previous';
export const next = 'Next';

// A table
export const actions = 'Actions';

// Fields
export const show = 'Show';
export const hide = 'Hide';
export const showField = (label: string) => `Show ${label.toLowerCase()}`;
export const oneLess = (label: string) => `One less: ${label}`;
export const oneMore = (label: string) => `One more: ${label}`;
export const atMost = (number: string) => `At most ${number}.`;

// A person
export const initials = (label: string) => `${label}: initials`;

// A grid
export const filterColumn = 'Sort or filter';
export const resizeColumn = 'Drag to resize';
