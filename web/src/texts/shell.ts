export { dashboard, help, product } from './app.ts';

// The frame of every page
export const skip = 'Skip to the page';
export const mainMenu = 'Main';
export const quickMenu = 'Quick';
export const breadcrumb = 'Breadcrumb';
export const menu = 'Menu';
export const close = 'Close';
export const cancel = 'Cancel';
export const demo = 'Demo';
export const demoBanner = 'Demo{where}: the people are made up, and emails stay in an outbox.';
export const demoWhere = ' on your own machine';
export const cart = (items: number) => `Cart: ${items} ${items === 1 ? 'item' : 'items'}`;
export const offline = 'You’re offline. This page may be out of date until you reconnect.';
export const serverOutOfReach = 'The server cannot be reached. This page may be out of date.';
export const quick = { dashboard: 'Dashboard', ask: 'New', batches: 'Batches', profile: 'Profile' };

// Menu, palette and titles
export const submitBatch = 'Submit a Batch (CSV)';
export const askOne = 'Ask one question';
export const processedBatches = 'Processed Batches';
export const sheets = 'Sheets';
export const clients = 'Clients';
export const buyCredits = 'Buy Credits';
export const invoices = 'Invoices';
export const payments = 'Payments';
export const activity = 'Activity';
export const account = 'Account';
export const planOf = (plan: string) => (plan.endsWith('plan') ? plan : `${plan} plan`);
export const settings = 'Settings';
export const editProfile = 'Edit Profile';
export const changePassword = 'Change Password';
export const operator = 'Operator';
export const catalogue = 'Plans and prices';
export const providers = 'Providers and models';
export const allPrompts = 'All prompts';
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
export const searchBatches = (text: string) => `Search batches for “${text}”`;
export const searchClients = (text: string) => `Search clients for “${text}”`;
export const searchPeople = (text: string) => `Search people for “${text}”`;
export const keys = 'Keyboard shortcuts';
export const shortcuts = [
  ['Ctrl K', 'Go to any page, or search'],
  ['?', 'Show this list'],
  ['{{', 'In a prompt: insert a column'],
  ['Ctrl Enter', 'In a prompt: try one row'],
  ['↑ ↓', 'In lists and tables: previous or next row'],
  ['Enter', 'In the table of rows: open the row'],
  ['J K', 'In the rows of a batch: next or previous row'],
  ['R W L', 'In the rows of a batch: judge as right, wrong or later'],
  ['Ctrl A', 'In the table of rows: select all cells'],
  ['Ctrl C', 'In the table of rows: copy the selected cells'],
  ['Esc', 'Close a dialog or menu'],
] as const;

// Acting for a client
export const actingBanner = 'Acting as a client';
export const actingAs = 'Acting as {name} {detail}';
export const actingDetail = (email: string) =>
  `(${email}). Everything you do is on this client’s behalf.`;
export const comeBack = 'Return';
export const view = 'View';
export const admin = 'Admin';
export const client = 'Client';

// Logging out
export const logout = 'Logout';
export const logOut = 'Log Out';
export const sureToLogOut = 'Are you sure you want to logout ?';
export const signedOut = 'You are signed out.';

// Messages, versions, failures
export const notifications = 'Notifications';
export const notificationsOf = (unread: number) =>
  unread === 0 ? 'Notifications' : `Notifications, ${unread} new`;
export const noMessages = 'You’re all caught up.';
export const updated = 'App Updated reload to apply';
export const updateWarning = 'Reloading may discard unsent changes. Prompt drafts are kept.';
export const ok = 'OK';
