import { paths } from '../lib/paths.ts';

/** Every route of the authorised area with its title, and what it is for as long as its page is not there. */
export const areaPages = [
  { path: paths.dashboard, title: 'Dashboard' },
  { path: paths.credits, title: 'Buy Credits', purpose: 'Here you will buy packs of submissions.' },
  { path: paths.checkout, title: 'Checkout', purpose: 'Here you will pay for what is in your cart, by card or wallet.' },
  { path: paths.ask, title: 'Create a Request (Upload Spreadsheet)' },
  { path: paths.history, title: 'Processed Batches' },
  { path: paths.batch, title: 'Processed Batches' },
  { path: paths.profile, title: 'Profile' },
  { path: paths.changePassword, title: 'Change password' },
  { path: paths.clients, title: 'Clients' },
  { path: paths.payments, title: 'Payments', purpose: 'Here you will see your payments and refunds.' },
  { path: paths.orders, title: 'Orders', purpose: 'Here you will find your invoices.' },
] as const;

export function titleOf(path: string): string {
  return areaPages.find((page) => path === page.path)?.title ?? parentOf(path)?.title ?? 'Rowmill';
}

/** A page of one thing bears the title of the list that it stands in. */
function parentOf(path: string) {
  return areaPages.find((page) => path.startsWith(`${page.path}/`));
}
