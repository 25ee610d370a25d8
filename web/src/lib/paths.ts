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

/** Where an order is paid, or where it is shown what became of it: a page survives a reload by naming the order. */
export function payPath({
  type,
  order_id,
}: {
  type: 'plan' | 'credits';
  order_id: string;
}): string {
  return `${type === 'plan' ? paths.billing : paths.checkout}?order=${encodeURIComponent(order_id)}`;
}

/** One order, beside the list of all. */
export function orderPath(id: string): string {
  return `${paths.orders}?order=${encodeURIComponent(id)}`;
}

/** Where more is bought for a batch that ran out; afterwards the person is led back to it. */
export function creditsPath(batchId: string): string {
  return `${paths.credits}?batch=${encodeURIComponent(batchId)}`;
}
