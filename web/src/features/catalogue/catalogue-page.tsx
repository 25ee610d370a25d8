import type { AnswerOf, getCatalogue, Pricing } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { OperatorTabs } from '../../entities/operator-tabs.tsx';
import { formatTax } from '../../lib/format.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { Button } from '../../ui/button.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { StaleWhileError } from '../../ui/stale-while-error.tsx';
import { catalogueQuery } from './api.ts';
import { HistorySection } from './history-section.tsx';
import { PacksSection, PlansSection } from './items-section.tsx';
import { PackDialog } from './pack-dialog.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { PricingDialog } from './pricing-dialog.tsx';
import { useOpenEdit } from './use-open-edit.ts';

type Catalogue = AnswerOf<typeof getCatalogue>;

/** Catalogue of plans and packs. The server refuses everyone but operators. */
export function CataloguePage() {
  const mayView = useCan('viewInstallation');
  const query = useQuery({ ...catalogueQuery(), enabled: mayView });
  if (!mayView) return <Navigate to={paths.dashboard} replace />;
  return (
    <>
      <OperatorTabs />
      <StaleWhileError query={query}>
        {(catalogue) => <Sections catalogue={catalogue} />}
      </StaleWhileError>
      <HistorySection />
    </>
  );
}

function Sections({ catalogue }: { catalogue: Catalogue }) {
  const { open, edit, showCurrent, close } = useOpenEdit(catalogue);
  const { plans, packs, pricing } = catalogue;
  const common = { currency: pricing.currency, onShowCurrent: showCurrent, onClose: close };
  return (
    <>
      <PlansSection plans={plans} onEdit={(id) => edit('plan', id)} />
      <PacksSection packs={packs} onEdit={(id) => edit('pack', id)} />
      <PricingSection pricing={pricing} onEdit={() => edit('pricing', null)} />
      {open?.kind === 'plan' && (
        <PlanDialog
          key={open.key}
          plan={open.item}
          nextPosition={positionAfter(plans)}
          {...common}
        />
      )}
      {open?.kind === 'pack' && (
        <PackDialog
          key={open.key}
          pack={open.item}
          nextPosition={positionAfter(packs)}
          {...common}
        />
      )}
      {open?.kind === 'pricing' && (
        <PricingDialog
          key={open.key}
          pricing={open.item}
          onShowCurrent={showCurrent}
          onClose={close}
        />
      )}
    </>
  );
}

/** The last position. */
function positionAfter(items: readonly { position: number }[]): number {
  return Math.max(0, ...items.map(({ position }) => position)) + 1;
}

interface Props {
  pricing: Pricing;
  onEdit: () => void;
}

function PricingSection({ pricing: { currency, tax_name, basis_points }, onEdit }: Props) {
  const canEdit = useCan('editCatalogue');
  const tax = formatTax({ name: tax_name, percent: basis_points / 100 });
  return (
    <section className="card" aria-labelledby="pricing-title">
      <div className="spread">
        <h2 id="pricing-title">{texts.pricing}</h2>
        {canEdit && (
          <Button
            variant="secondary"
            aria-label={texts.editPricing}
            aria-haspopup="dialog"
            onClick={onEdit}
          >
            {texts.edit}
          </Button>
        )}
      </div>
      <p>
        <RichText
          text={tax ? texts.allPrices : texts.untaxedPrices}
          parts={{ currency: <strong>{currency}</strong>, tax: <strong>{tax}</strong> }}
        />
      </p>
    </section>
  );
}
