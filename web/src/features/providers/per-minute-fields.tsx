import type { Provider } from '@rowmill/contract';
import type { Values } from '../../lib/hooks/use-form.ts';
import { numberIn } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/operator/providers.ts';
import { NumberField } from '../../ui/form/text-field.tsx';

type PerMinute = Pick<Provider, 'requests_per_minute' | 'tokens_per_minute'>;

const labels = [
  ['requests_per_minute', texts.requestsPerMinute],
  ['tokens_per_minute', texts.tokensPerMinute],
] as const;

/** What a provider allows in a minute, or for one of its models. */
export function PerMinuteFields({ of, hint }: { of: PerMinute | null; hint: string }) {
  return labels.map(([name, label]) => (
    <NumberField
      key={name}
      label={label}
      name={name}
      maxLength={13}
      defaultValue={of?.[name]}
      hint={hint}
    />
  ));
}

/** Without the fields, what is known stays. */
export function perMinuteIn(values: Values, known: PerMinute | null): PerMinute {
  const limit = (name: keyof PerMinute) =>
    name in values ? numberIn(values[name]) : (known?.[name] ?? null);
  return {
    requests_per_minute: limit('requests_per_minute'),
    tokens_per_minute: limit('tokens_per_minute'),
  };
}
