import {
  type AnswerOf,
  type CataloguePack,
  type CataloguePlan,
  getCatalogue,
  type Pricing,
} from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { OperatorTabs } from '../../entities/operator-tabs.tsx';
import { formatTax } from '../../lib/format.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import { useOpenEdit } from '../../lib/hooks/use-open-edit.ts';
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

type Catalogue = AnswerOf<typeof getCatalogue>;

/** An item is null for a new one. */
type Open =
  | { kind: 'plan'; item: CataloguePlan | null }
  | { kind: 'pack'; item: CataloguePack | null }
  | { kind: 'pricing'; item: Pricing };

/** Catalogue of plans and packs. */
export function CataloguePage() {
  const query = useQuery(catalogueQuery());
  return (
    <>
      <OperatorTabs />
      <StaleWhileError query={query}>
        {(catalogue) => (
          <>
            <Sections catalogue={catalogue} />
            {/* Not before the plans, which would push it down. */}
            <HistorySection />
          </>
        )}
      </StaleWhileError>
    </>
  );
}

function Sections({ catalogue: { plans, packs, pricing } }: { catalogue: Catalogue }) {
  const { open, setOpen, showCurrent, close } = useOpenEdit(getCatalogue, refill);
  const common = { currency: pricing.currency, onShowCurrent: showCurrent, onClose: close };
  return (
    <>
      <PlansSection plans={plans} onEdit={(item) => setOpen({ kind: 'plan', item })} />
      <PacksSection packs={packs} onEdit={(item) => setOpen({ kind: 'pack', item })} />
      <PricingSection
        pricing={pricing}
        onEdit={() => setOpen({ kind: 'pricing', item: pricing })}
      />
      {open?.kind === 'plan' && (
        <PlanDialog
          key={open.item?.version}
          plan={open.item}
          nextPosition={positionAfter(plans)}
          {...common}
        />
      )}
      {open?.kind === 'pack' && (
        <PackDialog
          key={open.item?.version}
          pack={open.item}
          nextPosition={positionAfter(packs)}
          {...common}
        />
      )}
      {open?.kind === 'pricing' && (
        <PricingDialog
          key={open.item.version}
          pricing={open.item}
          onShowCurrent={showCurrent}
          onClose={close}
        />
      )}
    </>
  );
}

function refill({ plans, packs, pricing }: Catalogue, open: Open): Open | null {
  if (open.kind === 'pricing') return { ...open, item: pricing };
  const items: readonly (CataloguePlan | CataloguePack)[] = open.kind === 'plan' ? plans : packs;
  const item = items.find(({ id }) => id === open.item?.id);
  return item ? ({ ...open, item } as Open) : null;
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
