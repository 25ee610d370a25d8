import { type Provider, providerLimits, saveProvider, usualLimitScope } from '@rowmill/contract';
import { useState } from 'react';
import type { Values } from '../../lib/hooks/use-form.ts';
import { wholeNumberIn } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/operator/providers.ts';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { EditDialog } from '../../ui/form/edit-dialog.tsx';
import { NumberField, TextField } from '../../ui/form/text-field.tsx';
import { changedByProviders } from './api.ts';
import { PerMinuteFields, perMinuteIn } from './per-minute-fields.tsx';

interface Props {
  /** Null for a new one. */
  provider: Provider | null;
  onShowCurrent: () => void;
  onClose: () => void;
}

export function ProviderDialog({ provider, onShowCurrent, onClose }: Props) {
  return (
    <EditDialog
      title={provider ? texts.editItem(provider.name) : texts.newProvider}
      endpoint={saveProvider}
      toRequest={(values) => requestFor(provider, values)}
      changes={changedByProviders}
      onShowCurrent={onShowCurrent}
      onClose={onClose}
    >
      <ProviderFields provider={provider} />
    </EditDialog>
  );
}

function ProviderFields({ provider }: Pick<Props, 'provider'>) {
  const [kind, setKind] = useState(provider?.kind ?? 'openai');
  const [address, setAddress] = useState(provider?.address ?? '');
  const [limitScope, setLimitScope] = useState(provider?.limits_per);
  return (
    <>
      <div className="grid-fields">
        <TextField
          label={texts.name}
          name="name"
          maxLength={providerLimits.name}
          defaultValue={provider?.name ?? ''}
          hint={texts.nameHint}
        />
        <ChoiceField
          label={texts.kind}
          name="kind"
          choices={Object.entries(texts.kinds)}
          value={kind}
          onChange={({ target }) => setKind(target.value)}
        />
      </div>
      <TextField
        label={texts.address}
        name="address"
        inputMode="url"
        maxLength={providerLimits.address}
        value={address}
        onChange={({ target }) => setAddress(target.value)}
        hint={texts.addressHints[kind as keyof typeof texts.addressHints]}
      />
      <TextField
        label={texts.key}
        name="key"
        type="password"
        maxLength={providerLimits.key}
        hint={provider?.has_key ? texts.keyKept : texts.keyHint}
      />
      <div className="grid-fields">
        <NumberField
          label={texts.concurrency}
          name="concurrency"
          maxLength={6}
          defaultValue={provider?.concurrency ?? 16}
          hint={texts.concurrencyHint}
        />
        <PerMinuteFields of={provider} hint={texts.perMinuteHint} />
        <ChoiceField
          label={texts.limitsPer}
          name="limits_per"
          choices={Object.entries(texts.limitScopes)}
          value={limitScope ?? usualLimitScope(kind, address)}
          onChange={({ target }) => setLimitScope(target.value as Provider['limits_per'])}
          hint={texts.limitsPerHint}
        />
        <ChoiceField
          label={texts.isUsed}
          name="is_enabled"
          choices={yesOrNo}
          defaultValue={provider?.is_enabled === false ? 'no' : 'yes'}
        />
      </div>
    </>
  );
}

const yesOrNo = [
  ['yes', texts.yes],
  ['no', texts.no],
] as const;

function requestFor(provider: Provider | null, values: Values) {
  const { name = '', kind, address = '', key = '', concurrency = '', is_enabled } = values;
  const { limits_per } = values;
  return {
    ...(provider?.id ? { id: provider.id, version: provider.version } : {}),
    name,
    kind: kind as keyof typeof texts.kinds,
    address,
    ...(key.trim() && { key }),
    concurrency: wholeNumberIn(concurrency),
    ...perMinuteIn(values, provider),
    limits_per: limits_per as Provider['limits_per'],
    is_enabled: is_enabled === 'yes',
  };
}
