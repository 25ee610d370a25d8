import * as texts from '../../texts/catalogue.ts';
import { TextField } from '../../ui/form/text-field.tsx';
import { inHundredths } from './typed-numbers.ts';

interface WholeProps {
  label: string;
  name: string;
  value: number | null | undefined;
  hint?: string;
}

export function WholeField({ value, ...field }: WholeProps) {
  return (
    <TextField
      {...field}
      inputMode="numeric"
      autoComplete="off"
      maxLength={20}
      defaultValue={value ?? ''}
    />
  );
}

interface PriceProps {
  name: string;
  currency: string;
  minor: number | undefined;
}

export function PriceField({ currency, minor, ...field }: PriceProps) {
  return (
    <TextField
      {...field}
      label={texts.priceIn(currency)}
      hint={texts.priceHint}
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      defaultValue={minor === undefined ? '' : inHundredths(minor)}
    />
  );
}
