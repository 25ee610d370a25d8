import { useMemo } from 'react';
import * as texts from '../../texts/entities.ts';
import { Field } from '../../ui/form/field.tsx';
import { type Country, listCountries } from './countries.ts';

interface Props {
  name: string;
  defaultValue?: string;
}

/** Shows names and sends the two-letter code. */
export function CountryField({ name, defaultValue = '' }: Props) {
  const { usual, others } = useMemo(() => listCountries(defaultValue), [defaultValue]);
  return (
    <Field label={texts.country} name={name}>
      {(control) => (
        <select {...control} name={name} defaultValue={defaultValue} autoComplete="billing country">
          <option value="">{texts.chooseCountry}</option>
          {usual.map(asOption)}
          <hr />
          {others.map(asOption)}
        </select>
      )}
    </Field>
  );
}

function asOption({ code, name }: Country) {
  return (
    <option key={code} value={code}>
      {name}
    </option>
  );
}
