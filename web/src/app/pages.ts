import { paths } from '../lib/paths.ts';

/** Every route of the authorised area with its title, and what it is for as long as its page is not there. */
export const areaPages = [
  { path: paths.dashboard, title: 'Dashboard' },
  { path: paths.credits, title: 'Buy Credits', purpose: 'Here you will buy packs of submissions.' },
  { path: paths.checkout, title: 'Checkout', purpose: 'Here you will pay for what is in your cart, by card or wallet.' },
  {
    path: paths.ask,
    title: 'Create a Request (Upload Spreadsheet)',
    purpose: 'Here you will upload a spreadsheet, write a question with its columns, see what it costs, and start.',
  },
  {
    path: paths.history,
    title: 'Processed Batches',
    purpose: 'Here you will watch your batches, pause, resume or stop them, and download results.',
  },
  { path: paths.profile, title: 'Profile' },
  { path: paths.changePassword, title: 'Change password' },
  { path: paths.clients, title: 'Clients' },
  { path: paths.payments, title: 'Payments', purpose: 'Here you will see your payments and refunds.' },
  { path: paths.orders, title: 'Orders', purpose: 'Here you will find your invoices.' },
] as const;

export function titleOf(path: string): string {
  return areaPages.find((page) => path === page.path)?.title ?? 'Rowmill';
}
