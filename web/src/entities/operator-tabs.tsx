import { useLocation, useSearchParams } from 'react-router';
import { paths } from '../lib/paths.ts';
import { costs } from '../texts/operator/costs.ts';
import * as texts from '../texts/operators.ts';
import { Tabs } from '../ui/tabs.tsx';

const views = [
  ['people', texts.people],
  ['reviews', texts.payments],
  ['audit', texts.auditLog],
  ['books', texts.ledger],
  ['costs', costs],
] as const;

const pages = [
  [paths.catalogue, texts.prices],
  [paths.providers, texts.providers],
] as const;

/** The pages of an operator; the first ones are views of one page. */
export function OperatorTabs() {
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const view = parameters.get('view');
  const shown = views.some(([name]) => name === view) ? view : views[0][0];
  return (
    <Tabs
      label={texts.operator}
      tabs={[
        ...views.map(([name, label]) => ({
          to: { pathname: paths.operator, search: `?view=${name}` },
          label,
          isCurrent: pathname === paths.operator && name === shown,
        })),
        ...pages.map(([path, label]) => ({ to: path, label, isCurrent: path === pathname })),
      ]}
    />
  );
}
