// The frame of every page.
export const product = 'Rowmill';
export const cannotStart = `${product} cannot start`;
export const cannotStartWhy = (reason: string) => `${reason} Please try again in a moment.`;
export const tryAgain = 'Try again';
export const skip = 'Skip to the page';
export const mainMenu = 'Main';
export const quickMenu = 'Quick';
export const menu = 'Menu';
export const close = 'Close';
export const cancel = 'Cancel';
export const demo = 'Demo';
export const demoBanner = 'Demo{where}: made-up people, and mails wait in an outbox.';
export const demoWhere = ' on your own machine';
export const cart = (items: number) => `Cart: ${items} ${items === 1 ? 'item' : 'items'}`;
export const offline = 'You are offline. What you see may be old until the connection is back.';
export const quick = { dashboard: 'Dashboard', ask: 'Ask', batches: 'Batches', profile: 'Profile' };

// Menu, palette and titles.
export const dashboard = 'Dashboard';
export const submitBatch = 'Submit a Batch (CSV)';
export const askOne = 'Ask one question';
export const processedBatches = 'Processed Batches';
export const clients = 'Clients';
export const buyCredits = 'Buy Credits';
export const invoices = 'Invoices';
export const payments = 'Payments';
export const activity = 'Activity';
export const settings = 'Settings';
export const editProfile = 'Edit Profile';
export const changePassword = 'Change Password';
export const operator = 'Operator';
export const catalogue = 'Plans and prices';
export const help = 'Help';
export const titles = {
  ask: 'Create a Request (Upload Spreadsheet)',
  checkout: 'Checkout',
  profile: 'Profile',
  changePassword: 'Change password',
  orders: 'Orders',
};
export const goTo = 'Go to';
export const page = 'Page';
export const pages = 'Pages';
export const noPage = 'Nothing is called that. Look into the {help}?';
export const noPageHelp = 'help';
export const keys = 'Keys';
export const shortcuts = [
  ['Ctrl K', 'Go to any page'],
  ['?', 'This list'],
  ['{{', 'In a question: choose a column'],
  ['↑ ↓', 'In lists and tables: the row before or after'],
  ['Enter', 'In the table of rows: the row in full'],
  ['Esc', 'Close what is open'],
] as const;

// Acting as a client.
export const actingBanner = 'Acting as a client';
export const actingAs = 'You act as {name} {detail}';
export const actingDetail = (email: string) => `(${email}). What you do, you do for this client.`;
export const comeBack = 'Return';
export const view = 'View';
export const admin = 'Admin';
export const client = 'Client';

// Logging out.
export const logout = 'Logout';
export const logOut = 'Log Out';
export const sureToLogOut = 'Are you sure you want to logout ?';
export const signedOut = 'You are signed out.';

// Messages, versions, and pages that are not there.
export const notifications = 'Notifications';
export const noMessages = 'No messages since you opened the page.';
export const updated = 'App Updated reload to apply';
export const updateWarning =
  'What you have written and not sent yet may be lost by reloading; drafts of questions are kept.';
export const ok = 'OK';
export const updateFailed = 'Failed to update app. Please contact support.';
export const notFound = 'Not found';
export const nothingHere = 'There is nothing here';
export const nothingHereWhy = 'The address may be mistyped, or what was here is gone.';
export const toTheStart = 'Go to the start';
export const cannotShow = 'This page cannot be shown';
export const missingPart = 'A part of it could not be loaded. Please check your connection.';
export const reload = 'Reload';

// The foot of the public pages.
export const whatItIs = (product: string) =>
  `${product} is a one-of-a-kind tool that simplifies bulk and batch processing of spreadsheet data for a chat AI.`;
export const freephone = (number: string) => `Freephone ${number}`;
export const aboutThisSite = 'About this site';
export const privacy = 'Privacy';
export const terms = 'Terms';
export const about = 'About';
