import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/billing.ts';
import { Tabs } from '../../../ui/tabs.tsx';

const tabs = [
  { to: paths.orders, label: texts.invoices },
  { to: paths.payments, label: texts.payments },
] as const;

/** Invoices and payments are two views of what was bought. */
export function InvoiceTabs({ current }: { current: (typeof tabs)[number]['to'] }) {
  return (
    <Tabs
      label={texts.invoicesAndPayments}
      tabs={tabs.map((tab) => ({ ...tab, isCurrent: tab.to === current }))}
    />
  );
}
