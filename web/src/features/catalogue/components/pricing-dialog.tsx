import { type Pricing, saleCurrencies, savePricing } from '@rowmill/contract';
import { TextField } from '../../../ui/text-field.tsx';
import { asPercent, hundredthsIn } from '../typed-numbers.ts';
import { useEdit } from '../use-edit.ts';
import { ChoiceField } from './choice-field.tsx';
import { EditDialog } from './edit-dialog.tsx';

interface Props {
  pricing: Pricing;
  onLookAgain: () => void;
  onClose: () => void;
}

const names = new Intl.DisplayNames('en', { type: 'currency' });
const currencies = saleCurrencies.map((code) => [code, `${code}, ${names.of(code)}`] as const);

export function PricingDialog({ pricing, onLookAgain, onClose }: Props) {
  const { problems, ...form } = useEdit({
    endpoint: savePricing,
    read: ({ currency = '', tax_name = '', basis_points = '' }) => ({
      version: pricing.version,
      currency: saleCurrencies.find((code) => code === currency) ?? (currency as 'GBP'),
      tax_name,
      basis_points: hundredthsIn(basis_points),
    }),
    onSaved: onClose,
  });
  return (
    <EditDialog
      title="Edit currency and tax"
      note="Orders that exist keep their currency and their tax. Prices include the tax, so they stay what they are."
      form={form}
      onLookAgain={onLookAgain}
      onClose={onClose}
    >
      <ChoiceField
        label="Currency"
        name="currency"
        choices={currencies}
        defaultValue={pricing.currency}
        problem={problems.currency}
        hint="Of all prices. Their numbers stay: 12.50 is 12.50 of the new currency."
      />
      <div className="address">
        <TextField
          label="Name of the tax"
          name="tax_name"
          autoComplete="off"
          maxLength={20}
          defaultValue={pricing.tax_name}
          problem={problems.tax_name}
        />
        <TextField
          label="Percent"
          name="basis_points"
          inputMode="decimal"
          autoComplete="off"
          maxLength={6}
          defaultValue={asPercent(pricing.basis_points)}
          problem={problems.basis_points}
          hint="Such as 20 or 17.5."
        />
      </div>
    </EditDialog>
  );
}
