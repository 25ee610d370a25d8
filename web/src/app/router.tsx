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

/** Pages without queries, for the fast first load of a visitor. */
const entrancePages: Record<string, Load> = {
  [paths.auth]: async () => ({
    Component: (await import('../features/identity/login-page.tsx')).LoginPage,
  }),
  [paths.login]: async () => ({
    Component: (await import('../features/identity/login-page.tsx')).LoginPage,
  }),
  [paths.register]: async () => ({
    Component: (await import('../features/identity/register-page.tsx')).RegisterPage,
  }),
  [paths.reset]: async () => ({
    Component: (await import('../features/identity/passwords/reset-page.tsx')).ResetPage,
  }),
  [paths.newPassword]: async () => ({
    Component: (await import('../features/identity/passwords/new-password-page.tsx'))
      .NewPasswordPage,
  }),
  [paths.about]: async () => ({
    Component: (await import('../features/site/about-page.tsx')).AboutPage,
  }),
  [paths.help]: async () => ({
    Component: (await import('../features/site/help-page.tsx')).HelpPage,
  }),
  [paths.terms]: async () => ({
    Component: (await import('../features/site/terms-page.tsx')).TermsPage,
  }),
  [paths.privacy]: async () => ({
    Component: (await import('../features/site/privacy-page.tsx')).PrivacyPage,
  }),
};

const publicPages: Record<string, Load> = {
  [paths.invitation]: async () => ({
    Component: (await import('../features/identity/invitation-page.tsx')).InvitationPage,
  }),
  [paths.verify]: async () => ({
    Component: (await import('../features/identity/verify-page.tsx')).VerifyPage,
  }),
  [paths.changeEmail]: async () => ({
    Component: (await import('../features/identity/verify-page.tsx')).VerifyPage,
  }),
  [paths.resendLink]: async () => ({
    Component: (await import('../features/identity/resend-link-page.tsx')).ResendLinkPage,
  }),
  [paths.plans]: async () => ({
    Component: (await import('../features/plans/plans-page.tsx')).PlansPage,
  }),
  [paths.billing]: async () => ({
    Component: (await import('../features/billing/checkout/billing-page.tsx')).BillingPage,
  }),
};

const areaLoaders: Record<AreaPath, Load> = {
  [paths.dashboard]: async () => ({
    Component: (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
  }),
  [paths.credits]: async () => ({
    Component: (await import('../features/shop/credits-page.tsx')).CreditsPage,
  }),
  [paths.checkout]: async () => ({
    Component: (await import('../features/billing/checkout/checkout-page.tsx')).CheckoutPage,
  }),
  [paths.ask]: async () => ({ Component: (await import('../features/ask/ask-page.tsx')).AskPage }),
  [paths.allPrompts]: async () => ({
    Component: (await import('../features/ask/all-prompts-page.tsx')).AllPromptsPage,
  }),
  [paths.history]: async () => ({
    Component: (await import('../features/batches/list/history-page.tsx')).HistoryPage,
  }),
  [paths.batch]: async () => ({
    Component: (await import('../features/batches/detail/batch-page.tsx')).BatchPage,
  }),
  [paths.sheets]: async () => ({
    Component: (await import('../features/sheets/sheets-page.tsx')).SheetsPage,
  }),
  [paths.profile]: async () => ({
    Component: (await import('../features/identity/profile/profile-page.tsx')).ProfilePage,
  }),
  [paths.changePassword]: async () => ({
    Component: (await import('../features/identity/passwords/change-password-page.tsx'))
      .ChangePasswordPage,
  }),
  [paths.clients]: async () => ({
    Component: (await import('../features/clients/clients-page.tsx')).ClientsPage,
  }),
  [paths.activity]: async () => ({
    Component: (await import('../features/clients/activity-page.tsx')).ActivityPage,
  }),
  [paths.operator]: async () => ({
    Component: (await import('../features/operators/operator-page.tsx')).OperatorPage,
  }),
  [paths.person]: async () => ({
    Component: (await import('../features/operators/person-page.tsx')).PersonPage,
  }),
  [paths.catalogue]: async () => ({
    Component: (await import('../features/catalogue/catalogue-page.tsx')).CataloguePage,
  }),
  [paths.providers]: async () => ({
    Component: (await import('../features/providers/providers-page.tsx')).ProvidersPage,
  }),
  [paths.payments]: async () => ({
    Component: (await import('../features/billing/orders/payments-page.tsx')).PaymentsPage,
  }),
  [paths.orders]: async () => ({
    Component: (await import('../features/billing/orders/orders-page.tsx')).OrdersPage,
  }),
};

function routesOf(pages: Record<string, Load>): RouteObject[] {
  return Object.entries(pages).map(([path, lazy]) => ({ path, lazy }));
}

async function queries() {
  return { Component: (await import('./with-queries.tsx')).WithQueries };
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
            lazy: queries,
            children: routesOf(publicPages),
          },
        ],
      },
      {
        lazy: async () => ({
          Component: (await import('./shell/authorised-layout.tsx')).AuthorisedArea,
        }),
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
  const { user, switchedAs } = readIdentity();
  const { pathname, search } = new URL(request.url);
  const path = findRoute(pathname)?.path ?? null;
  const decision = guard({
    path,
    user,
    hasToken: storage.read('userToken') !== null,
    isInClientView: switchedAs?.role === 'Client',
    hasSelectedPlan: chosenPlan() !== null,
    navigateToBilling: storage.read('navigateToBilling') === true,
  });
  if (decision.clearBillingFlag) storage.remove('navigateToBilling');
  if (decision.allow) {
    if (user && path && path !== paths.root && !path.startsWith(paths.auth)) forgetPage();
    return null;
  }
  if (!user && path && path !== paths.root) rememberPage(pathname + search);
  if (decision.message) showToast('error', decision.message);
  return redirect(decision.to);
}
