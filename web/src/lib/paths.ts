/** Every route of the site. */
export const paths = {
  root: '/',
  auth: '/auth',
  login: '/auth/login',
  register: '/auth/register',
  reset: '/auth/reset',
  newPassword: '/auth/reset/new',
  verify: '/auth/verify',
  changeEmail: '/auth/change-email',
  invitation: '/auth/invitation',
  resendLink: '/auth/resendlink',
  plans: '/auth/plans',
  billing: '/auth/billing',
  about: '/auth/about',
  help: '/auth/help',
  terms: '/auth/terms',
  privacy: '/auth/privacy',
  dashboard: '/dashboard',
  credits: '/credits',
  checkout: '/checkout',
  ask: '/ask',
  history: '/history',
  batch: '/history/:id',
  profile: '/profile',
  changePassword: '/changepassword',
  clients: '/clients',
  activity: '/activity',
  operator: '/operator',
  catalogue: '/operator/catalogue',
  payments: '/payments',
  orders: '/orders',
} as const;

export function batchPath(id: string): string {
  return paths.batch.replace(':id', encodeURIComponent(id));
}

/** Where an order is paid or its outcome is shown. It names the order, so the page survives a reload. */
export function payPath({
  type,
  order_id,
}: {
  type: 'plan' | 'credits';
  order_id: string;
}): string {
  return `${type === 'plan' ? paths.billing : paths.checkout}?order=${encodeURIComponent(order_id)}`;
}

/** One order, opened in the list of orders. */
export function orderPath(id: string): string {
  return `${paths.orders}?order=${encodeURIComponent(id)}`;
}

/** Where to buy submissions for a batch that ran out; after payment the person returns to the batch. */
export function creditsPath(batchId: string): string {
  return `${paths.credits}?batch=${encodeURIComponent(batchId)}`;
}
