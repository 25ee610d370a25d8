import { useId, useMemo } from 'react';
import * as texts from '../../texts/ui.ts';
import { type Country, listCountries } from './countries.ts';

interface Props {
  name: string;
  defaultValue?: string | undefined;
  problem?: string | undefined;
}

/** A country, chosen from the list and sent as its two letters. */
export function CountryField({ name, defaultValue = '', problem }: Props) {
  const id = useId();
  const { usual, others } = useMemo(() => listCountries(defaultValue), [defaultValue]);
  return (
    <div className="field">
      <label htmlFor={id}>{texts.country}</label>
      <select
        id={id}
        name={name}
        defaultValue={defaultValue}
        autoComplete="billing country"
        aria-invalid={!!problem}
        aria-describedby={`${id}-note`}
      >
        <option value="">{texts.chooseCountry}</option>
        {usual.map(asOption)}
        <hr />
        {others.map(asOption)}
      </select>
      <span id={`${id}-note`} className={problem ? 'problem' : 'hint'}>
        {problem}
      </span>
    </div>
  );
}

function asOption({ code, name }: Country) {
  return (
    <option key={code} value={code}>
      {name}
    </option>
  );
}
