import type { Pricing } from '@rowmill/contract';
import { formatNumber } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';

interface Props {
  pricing: Pricing;
  onEdit: () => void;
}

export function PricingSection({ pricing: { currency, tax_name, basis_points }, onEdit }: Props) {
  return (
    <section className="card" aria-labelledby="pricing-title">
      <div className="spread">
        <h2 id="pricing-title">Currency and tax</h2>
        <Button variant="secondary" aria-label="Edit currency and tax" aria-haspopup="dialog" onClick={onEdit}>
          Edit
        </Button>
      </div>
      <p>
        All prices are in <strong>{currency}</strong> and include{' '}
        <strong>
          {formatNumber(basis_points / 100)} % {tax_name}
        </strong>
        .
      </p>
    </section>
  );
}
