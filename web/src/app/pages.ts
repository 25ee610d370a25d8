import { paths } from '../lib/paths.ts';

/** Every route of the authorised area with its title. */
export const areaPages = [
  { path: paths.dashboard, title: 'Dashboard' },
  { path: paths.credits, title: 'Buy Credits' },
  { path: paths.checkout, title: 'Checkout' },
  { path: paths.ask, title: 'Create a Request (Upload Spreadsheet)' },
  { path: paths.history, title: 'Processed Batches' },
  { path: paths.batch, title: 'Processed Batches' },
  { path: paths.profile, title: 'Profile' },
  { path: paths.changePassword, title: 'Change password' },
  { path: paths.clients, title: 'Clients' },
  { path: paths.activity, title: 'Activity' },
  { path: paths.operator, title: 'Operator' },
  { path: paths.catalogue, title: 'Plans and prices' },
  { path: paths.payments, title: 'Payments' },
  { path: paths.orders, title: 'Orders' },
] as const;
export type AreaPath = (typeof areaPages)[number]['path'];

export function titleOf(path: string): string {
  return areaPages.find((page) => path === page.path)?.title ?? parentOf(path)?.title ?? 'Rowmill';
}

/** A page of one thing bears the title of the list that it stands in. */
function parentOf(path: string) {
  return areaPages.find((page) => path.startsWith(`${page.path}/`));
}
