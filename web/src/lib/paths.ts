import type { OrderSummary } from '@rowmill/contract';

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
  allPrompts: '/ask/prompts',
  history: '/history',
  batch: '/history/:id',
  sheets: '/sheets',
  profile: '/profile',
  changePassword: '/changepassword',
  clients: '/clients',
  activity: '/activity',
  operator: '/operator',
  person: '/operator/people/:id',
  catalogue: '/operator/catalogue',
  providers: '/operator/providers',
  payments: '/payments',
  orders: '/orders',
} as const;
export type Path = (typeof paths)[keyof typeof paths];

/**
 * The route that a pathname leads to, and the address as we write it: for the router `/Dashboard`,
 * `/d%61shboard` and `//dashboard/` are one page. Null when there is no such page.
 */
export function findRoute(pathname: string): { path: Path; address: string } | null {
  const given = partsOf(pathname);
  const isMeant = (parts: readonly string[]) =>
    parts.length === given.length &&
    parts.every((part, index) => isVariable(part) || part === decoded(given[index] ?? ''));
  const path = Object.values(paths).find((path) => isMeant(partsOf(path)));
  if (!path) return null;
  const address = partsOf(path).map((part, index) => (isVariable(part) ? given[index] : part));
  return { path, address: `/${address.join('/')}` };
}

const partsOf = (pathname: string) => pathname.split('/').filter(Boolean);
const isVariable = (part: string) => part.startsWith(':');

function decoded(part: string): string {
  try {
    return decodeURIComponent(part).toLowerCase();
  } catch {
    return part;
  }
}

export function batchPath(id: string): string {
  return paths.batch.replace(':id', encodeURIComponent(id));
}

/** Where a sheet gets a prompt. */
export function askPath(sheet: string): string {
  return `${paths.ask}?sheet=${encodeURIComponent(sheet)}`;
}

/** A person as operators see them. */
export function personPath(id: string): string {
  return paths.person.replace(':id', encodeURIComponent(id));
}

/** Where an order is paid or its outcome is shown. It survives a reload. */
export function payPath({ type, order_id }: Pick<OrderSummary, 'type' | 'order_id'>): string {
  return `${type === 'plan' ? paths.billing : paths.checkout}?order=${encodeURIComponent(order_id)}`;
}

/** One order, opened in the list of orders. */
export function orderPath(id: string): string {
  return `${paths.orders}?order=${encodeURIComponent(id)}`;
}

/** Where to buy what is missing, and to return to the batch that ran out after payment. */
export function creditsPath(need: { batch?: string; amount?: number | undefined }): string {
  const known = Object.entries(need).filter(([, value]) => value !== undefined);
  const params = known.map(([name, value]) => [name, String(value)]);
  return `${paths.credits}?${new URLSearchParams(params)}`;
}
