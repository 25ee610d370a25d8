import type { Pricing } from '@rowmill/contract';
import { formatNumber } from '../../lib/format.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { Button } from '../../ui/button.tsx';
import { RichText } from '../../ui/rich-text.tsx';

interface Props {
  pricing: Pricing;
  onEdit: () => void;
}

export function PricingSection({ pricing: { currency, tax_name, basis_points }, onEdit }: Props) {
  const canEdit = useCan('editCatalogue');
  const tax = texts.taxed({ percent: formatNumber(basis_points / 100), tax: tax_name });
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
          text={texts.allPrices}
          parts={{ currency: <strong>{currency}</strong>, tax: <strong>{tax}</strong> }}
        />
      </p>
    </section>
  );
}
