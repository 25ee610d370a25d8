// The frame of every page
export const product = 'Rowmill';
export const cannotStart = `${product} cannot start`;
export const cannotStartReason = (reason: string) => `${reason} Try again in a moment.`;
export const tryAgain = 'Try again';

// Menu, palette and titles
export const dashboard = 'Dashboard';
export const help = 'Help';

// Messages, versions, failures
export const updateFailed = 'Failed to update app. Please contact support.';
export const cannotShow = 'This page cannot be shown';
export const missingPart = 'Part of it could not be loaded. Check your connection and try again.';
export const reload = 'Reload';

// The header and footer of the public pages
export const siteMenu = 'Site';
export const plans = 'Plans';
export const signIn = 'Sign in';
export const tryFree = 'Try free';
export const productSummary = (product: string) =>
  `${product} is a one-of-a-kind tool that simplifies bulk and batch processing of spreadsheet data for a chat AI.`;
export const version = (number: string) => `Version ${number}`;
export const freephone = (number: string) => `Freephone ${number}`;
export const aboutThisSite = 'About this site';
export const privacy = 'Privacy';
export const terms = 'Terms';
export const about = 'About';
