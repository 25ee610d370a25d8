import { useLocation } from 'react-router';
import { oneOf, useSearchState } from '../lib/hooks/use-search-state.ts';
import { paths } from '../lib/paths.ts';
import { costs } from '../texts/operator/costs.ts';
import * as texts from '../texts/operators.ts';
import { Tabs } from '../ui/tabs.tsx';

const views = ['people', 'reviews', 'audit', 'ledger', 'costs'] as const;
export type OperatorView = (typeof views)[number];
const viewNames: Record<OperatorView, string> = {
  people: texts.people,
  reviews: texts.payments,
  audit: texts.auditLog,
  ledger: texts.ledger,
  costs,
};
const addressState = { view: oneOf(views, 'people') };
export const useOperatorView = (): OperatorView => useSearchState(addressState)[0].view;

const pages = [
  [paths.catalogue, texts.prices],
  [paths.providers, texts.providers],
] as const;

/** The pages of an operator; the first ones are views of one page. */
export function OperatorTabs() {
  const { pathname } = useLocation();
  const shown = useOperatorView();
  return (
    <Tabs
      label={texts.operator}
      tabs={[
        ...views.map((name) => ({
          to: { pathname: paths.operator, search: `?view=${name}` },
          label: viewNames[name],
          isCurrent: pathname === paths.operator && name === shown,
        })),
        ...pages.map(([path, label]) => ({ to: path, label, isCurrent: path === pathname })),
      ]}
    />
  );
}
