import { type Pricing, saleCurrencies, savePricing } from '@rowmill/contract';
import type { Values } from '../../lib/hooks/use-form.ts';
import { asPercent, hundredthsIn } from '../../lib/typed-numbers.ts';
import { language } from '../../texts/language.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { useConfirmation } from '../../ui/confirm-dialog.tsx';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { EditDialog } from '../../ui/form/edit-dialog.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { changedByPrices } from './api.ts';

interface Props {
  pricing: Pricing;
  onShowCurrent: () => void;
  onClose: () => void;
}

const names = new Intl.DisplayNames(language, { type: 'currency' });
const currencies = saleCurrencies.map(
  (code) => [code, texts.currencyChoice({ code, name: names.of(code) ?? code })] as const,
);

export function PricingDialog({ pricing, onShowCurrent, onClose }: Props) {
  const { ask, dialog } = useConfirmation();
  async function confirm({ currency = '' }: Values): Promise<boolean> {
    if (currency === pricing.currency) return true;
    return ask(texts.confirmCurrency({ from: pricing.currency, to: currency }));
  }
  return (
    <>
      <EditDialog
        title={texts.editPricing}
        note={texts.pricingNote}
        endpoint={savePricing}
        toRequest={({ currency = '', tax_name = '', basis_points = '' }) => ({
          version: pricing.version,
          currency: saleCurrencies.find((code) => code === currency) ?? (currency as 'GBP'),
          tax_name,
          basis_points: hundredthsIn(basis_points),
        })}
        confirm={confirm}
        changes={changedByPrices}
        onShowCurrent={onShowCurrent}
        onClose={onClose}
      >
        <ChoiceField
          label={texts.currency}
          name="currency"
          choices={currencies}
          defaultValue={pricing.currency}
          hint={texts.currencyHint}
        />
        <div className="grid-fields">
          <TextField
            label={texts.taxName}
            name="tax_name"
            maxLength={20}
            defaultValue={pricing.tax_name}
          />
          <TextField
            label={texts.percent}
            name="basis_points"
            inputMode="decimal"
            maxLength={6}
            defaultValue={asPercent(pricing.basis_points)}
            hint={texts.percentHint}
          />
        </div>
      </EditDialog>
      {dialog}
    </>
  );
}
