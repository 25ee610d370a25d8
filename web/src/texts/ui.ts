// The product
export const product = 'Rowmill';

// While something is fetched
export const waitsForConnection = 'This needs a connection, and comes as soon as it is back.';
export const loading = 'Loading';
export const tryAgain = 'Try again';
export const mayBeOutdated = (error: string) => `This may be out of date. ${error}`;

// A dialog, and the actions of one of many entries
export const cancel = 'Cancel';
export const actionOn = ({ action, entry }: { action: string; entry: string }) =>
  `${action}: ${entry}`;

// The pages of a list
export const pages = 'Pages';
export const previous = 'Previous';
export const next = 'Next';

// A password
export const show = 'Show';
export const hide = 'Hide';
export const showField = (label: string) => `Show ${label.toLowerCase()}`;

// An amount
export const oneLess = (label: string) => `One less: ${label}`;
export const oneMore = (label: string) => `One more: ${label}`;

// A person, a batch
export const initials = (label: string) => `${label}: initials`;
export const progressOf = (batch: string) => `Progress of ${batch}`;

// A billing address
export const name = 'Name';
export const company = 'Company';
export const address = 'Address';
export const addressSecondLine = 'Address, second line';
export const town = 'Town';
export const region = 'Region';
export const postcode = 'Postcode';
export const country = 'Country';
export const chooseCountry = 'Please choose';
export const taxNumber = 'Tax number';
