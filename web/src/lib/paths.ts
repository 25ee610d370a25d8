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
  payments: '/payments',
  orders: '/orders',
} as const;

export function batchPath(id: string): string {
  return paths.batch.replace(':id', encodeURIComponent(id));
}
