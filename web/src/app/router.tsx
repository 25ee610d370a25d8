import {
  createBrowserRouter,
  type LoaderFunctionArgs,
  type RouteObject,
  redirect,
} from 'react-router';
import { chosenPlan } from '../entities/plan/chosen-plan.ts';
import { findRoute, paths } from '../lib/paths.ts';
import { forgetPage, rememberPage } from '../lib/return-visit.ts';
import { readIdentity } from '../lib/session.ts';
import { storage } from '../lib/storage.ts';
import { showToast } from '../lib/toasts.ts';
import { guard } from './guard.ts';
import { Opening } from './opening.tsx';
import type { AreaPath } from './pages.ts';
import { PublicLayout } from './public-layout.tsx';
import { RootPage } from './root-page.tsx';
import { RouteErrorPage } from './route-error-page.tsx';

type Load = () => Promise<{ Component: React.ComponentType }>;

/** A page whose module, which exports nothing else, is fetched when it opens. */
function page(load: () => Promise<Record<string, React.ComponentType>>): Load {
  return async () => {
    const [Component] = Object.values(await load());
    return { Component: Component as React.ComponentType };
  };
}

/** Pages without queries, for the fast first load of a visitor. */
const entrancePages: Record<string, Load> = {
  [paths.auth]: page(() => import('../features/identity/login-page.tsx')),
  [paths.login]: page(() => import('../features/identity/login-page.tsx')),
  [paths.register]: page(() => import('../features/identity/register-page.tsx')),
  [paths.reset]: page(() => import('../features/identity/passwords/reset-page.tsx')),
  [paths.newPassword]: page(() => import('../features/identity/passwords/new-password-page.tsx')),
  [paths.about]: page(() => import('../features/site/about-page.tsx')),
  [paths.help]: page(() => import('../features/site/help-page.tsx')),
  [paths.terms]: page(() => import('../features/site/terms-page.tsx')),
  [paths.privacy]: page(() => import('../features/site/privacy-page.tsx')),
};

const publicPages: Record<string, Load> = {
  [paths.invitation]: page(() => import('../features/identity/invitation-page.tsx')),
  [paths.verify]: page(() => import('../features/identity/verify-page.tsx')),
  [paths.changeEmail]: page(() => import('../features/identity/verify-page.tsx')),
  [paths.resendLink]: page(() => import('../features/identity/resend-link-page.tsx')),
  [paths.plans]: page(() => import('../features/plans/plans-page.tsx')),
  [paths.billing]: page(() => import('../features/billing/checkout/billing-page.tsx')),
};

const areaLoaders: Record<AreaPath, Load> = {
  [paths.dashboard]: page(() => import('../features/dashboard/dashboard-page.tsx')),
  [paths.credits]: page(() => import('../features/shop/credits-page.tsx')),
  [paths.checkout]: page(() => import('../features/billing/checkout/checkout-page.tsx')),
  [paths.ask]: page(() => import('../features/ask/ask-page.tsx')),
  [paths.allPrompts]: page(() => import('../features/ask/all-prompts-page.tsx')),
  [paths.history]: page(() => import('../features/batches/list/history-page.tsx')),
  [paths.batch]: page(() => import('../features/batches/detail/batch-page.tsx')),
  [paths.sheets]: page(() => import('../features/sheets/sheets-page.tsx')),
  [paths.profile]: page(() => import('../features/identity/profile/profile-page.tsx')),
  [paths.changePassword]: page(
    () => import('../features/identity/passwords/change-password-page.tsx'),
  ),
  [paths.clients]: page(() => import('../features/clients/clients-page.tsx')),
  [paths.activity]: page(() => import('../features/clients/activity-page.tsx')),
  [paths.operator]: page(() => import('../features/operators/operator-page.tsx')),
  [paths.person]: page(() => import('../features/operators/person-page.tsx')),
  [paths.catalogue]: page(() => import('../features/catalogue/catalogue-page.tsx')),
  [paths.providers]: page(() => import('../features/providers/providers-page.tsx')),
  [paths.payments]: page(() => import('../features/billing/orders/payments-page.tsx')),
  [paths.orders]: page(() => import('../features/billing/orders/orders-page.tsx')),
};

function routesOf(pages: Record<string, Load>): RouteObject[] {
  return Object.entries(pages).map(([path, lazy]) => ({ path, lazy }));
}

tidyAddress();
export const router = createBrowserRouter([
  {
    loader: checkAccess,
    shouldRevalidate: () => true,
    errorElement: <RouteErrorPage />,
    HydrateFallback: Opening,
    children: [
      { path: paths.root, Component: RootPage },
      // An address that no page has: the guard says where to go instead.
      { path: '*' },
      {
        Component: PublicLayout,
        children: [
          ...routesOf(entrancePages),
          {
            lazy: page(() => import('./with-queries.tsx')),
            children: routesOf(publicPages),
          },
        ],
      },
      {
        lazy: page(() => import('./shell/authorised-layout.tsx')),
        children: routesOf(areaLoaders),
      },
    ],
  },
]);

/** Other letter case or a final slash opens the same page, with the same title and icon. */
function tidyAddress(): void {
  const { pathname, search, hash } = location;
  const address = findRoute(pathname)?.address;
  if (address && address !== pathname)
    history.replaceState(history.state, '', address + search + hash);
}

/** Runs the guard before a page is shown. */
function checkAccess({ request }: LoaderFunctionArgs) {
  const { user } = readIdentity();
  const { pathname, search } = new URL(request.url);
  const path = findRoute(pathname)?.path ?? null;
  const decision = guard({
    path,
    user,
    hasToken: storage.read('userToken') !== null,
    hasSelectedPlan: chosenPlan() !== null,
    navigateToBilling: storage.read('navigateToBilling') === true,
  });
  if (decision.clearBillingFlag) storage.remove('navigateToBilling');
  if (decision.allow) {
    if (user && path && path !== paths.root && !path.startsWith(paths.auth)) forgetPage();
    return null;
  }
  // The link of an email, say. After a plain address, the root decides, as specified.
  if (!user && path && (path.includes(':') || search)) rememberPage(pathname + search);
  if (decision.message) showToast('error', decision.message);
  return redirect(decision.to);
}
