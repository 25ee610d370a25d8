import {
  kindsWithFlex,
  type Provider,
  type ProviderModel,
  providerLimits,
  saveModel,
} from '@rowmill/contract';
import { useState } from 'react';
import { InvalidFields, type Values } from '../../lib/hooks/use-form.ts';
import { asCost, costIn, numberIn, wholeNumberIn } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/operator/providers.ts';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { EditDialog } from '../../ui/form/edit-dialog.tsx';
import { NumberField, TextField } from '../../ui/form/text-field.tsx';
import { changedByProviders } from './api.ts';
import { OptionChecks, optionsIn } from './option-checks.tsx';
import { PerMinuteFields, perMinuteIn } from './per-minute-fields.tsx';

interface Props {
  provider: Provider;
  providers: readonly Provider[];
  /** Null for a new one. */
  model: ProviderModel | null;
  models: readonly ProviderModel[];
  currency: string;
  onShowCurrent: () => void;
  onClose: () => void;
}

export function ModelDialog({ model, models, providers, currency, ...props }: Props) {
  const [provider, setProvider] = useState(props.provider);
  return (
    <EditDialog
      title={model ? texts.editItem(model.label) : texts.newModel}
      endpoint={saveModel}
      toRequest={(values) => requestFor({ provider, model }, values)}
      changes={changedByProviders}
      onShowCurrent={props.onShowCurrent}
      onClose={props.onClose}
    >
      <div className="grid-fields">
        {model && providers.length > 1 && (
          <ProviderField provider={provider} providers={providers} onChange={setProvider} />
        )}
        <NameFields provider={provider} model={model} />
        <PriceFields model={model} />
      </div>
      <CostFields provider={provider} model={model} currency={currency} />
      {provider.limits_per === 'model' && <LimitFields model={model} />}
      <OptionChecks kind={provider.kind} model={model} />
      {kindsWithFlex.includes(provider.kind) && <FlexCheck hasFlex={model?.has_flex ?? false} />}
      <OfferFields model={model} models={models} />
    </EditDialog>
  );
}

interface ProviderFieldProps extends Pick<Props, 'provider' | 'providers'> {
  onChange: (provider: Provider) => void;
}

/** The one of the environment has no id. */
const idOf = ({ id }: Provider) => id ?? '';

function ProviderField({ provider, providers, onChange }: ProviderFieldProps) {
  return (
    <ChoiceField
      label={texts.provider}
      name="provider_id"
      choices={providers.map((choice) => [idOf(choice), choice.name] as const)}
      value={idOf(provider)}
      onChange={({ target }) => {
        const chosen = providers.find((choice) => idOf(choice) === target.value);
        if (chosen) onChange(chosen);
      }}
      hint={texts.providerHint}
    />
  );
}

function NameFields({ provider, model }: Pick<Props, 'provider' | 'model'>) {
  return (
    <>
      <TextField
        label={texts.askedAs}
        name="asked_as"
        maxLength={providerLimits.model}
        defaultValue={model?.asked_as ?? ''}
        hint={texts.askedAsHints[provider.kind as keyof typeof texts.askedAsHints]}
      />
      <TextField
        label={texts.label}
        name="label"
        maxLength={providerLimits.name}
        defaultValue={model?.label ?? ''}
        hint={texts.labelHint}
      />
      {!model && (
        <TextField
          label={texts.ownName}
          name="name"
          maxLength={providerLimits.model}
          hint={texts.ownNameHint}
        />
      )}
    </>
  );
}

function PriceFields({ model }: Pick<Props, 'model'>) {
  return (
    <>
      <NumberField
        label={texts.price}
        name="submissions_per_row"
        maxLength={6}
        defaultValue={model?.submissions_per_row ?? 1}
      />
      <NumberField
        label={texts.priceTokens}
        name="price_tokens"
        maxLength={9}
        defaultValue={model?.price_tokens}
        hint={texts.priceTokensHint}
      />
      <NumberField
        label={texts.answerTokens}
        name="answer_tokens"
        maxLength={9}
        defaultValue={model?.answer_tokens}
        hint={texts.answerTokensHint}
      />
    </>
  );
}

const costs = [
  ['input_cost', texts.input, texts.costHint],
  ['cached_cost', texts.cached, texts.cachedCostHint],
  ['output_cost', texts.output, texts.costHint],
] as const;

/** OpenAI's. */
const usualFlexPercent = 50;

function CostFields({ provider, model, currency }: Pick<Props, 'provider' | 'model' | 'currency'>) {
  return (
    <fieldset>
      <legend>{texts.yourCosts(currency)}</legend>
      <div className="grid-fields">
        {costs.map(([name, label, hint]) => (
          <TextField
            key={name}
            label={label}
            name={name}
            inputMode="decimal"
            maxLength={14}
            defaultValue={asCost(model?.[name] ?? null)}
            hint={hint}
          />
        ))}
        {kindsWithFlex.includes(provider.kind) && (
          <NumberField
            label={texts.flexCost}
            name="flex_cost_percent"
            maxLength={3}
            defaultValue={model?.flex_cost_percent ?? usualFlexPercent}
            hint={texts.flexCostHint}
          />
        )}
      </div>
    </fieldset>
  );
}

function LimitFields({ model }: Pick<Props, 'model'>) {
  return (
    <fieldset>
      <legend>{texts.limitsOfModel}</legend>
      <div className="grid-fields">
        <PerMinuteFields of={model} hint={texts.limitsOfModelHint} />
      </div>
    </fieldset>
  );
}

function FlexCheck({ hasFlex }: { hasFlex: boolean }) {
  return (
    <div>
      <label className="row">
        <input
          type="checkbox"
          name="has_flex"
          defaultChecked={hasFlex}
          aria-describedby="flex-hint"
        />
        {texts.hasFlex}
      </label>
      <p id="flex-hint" className="muted">
        {texts.hasFlexHint}
      </p>
    </div>
  );
}

function OfferFields({ model, models }: Pick<Props, 'model' | 'models'>) {
  const others = models.filter(({ name }) => name !== model?.name);
  return (
    <div className="grid-fields">
      <ChoiceField
        label={texts.offeredTo}
        name="offered_to"
        choices={Object.entries(texts.audiences)}
        defaultValue={model?.offered_to ?? 'everyone'}
      />
      <ChoiceField
        label={texts.fallback}
        name="fallback"
        choices={[
          ['', texts.noFallback],
          ...others.map(({ name, label }) => [name, label] as const),
        ]}
        defaultValue={model?.fallback ?? ''}
        hint={texts.fallbackHint}
      />
      <NumberField
        label={texts.position}
        name="position"
        maxLength={4}
        defaultValue={model?.position ?? models.length + 1}
        hint={texts.positionHint}
      />
    </div>
  );
}

function requestFor({ provider, model }: Pick<Props, 'provider' | 'model'>, values: Values) {
  const { asked_as = '', name = '', label = '', fallback, offered_to } = values;
  const { input_cost = '', cached_cost = '', output_cost = '' } = values;
  // It stands in for the two optional names, which would be reported as missing too.
  if (!asked_as.trim()) throw new InvalidFields({ asked_as: texts.askedAsMissing });
  return {
    ...(model ? { name: model.name, version: model.version } : { name: name.trim() || asked_as }),
    provider_id: provider.id,
    asked_as,
    label: label.trim() || asked_as,
    submissions_per_row: wholeNumberIn(values.submissions_per_row),
    price_tokens: numberIn(values.price_tokens),
    answer_tokens: numberIn(values.answer_tokens),
    input_cost: costIn(input_cost),
    cached_cost: costIn(cached_cost),
    output_cost: costIn(output_cost),
    ...perMinuteIn(values, model),
    ...optionsIn(values, { kind: provider.kind, model }),
    has_flex: 'has_flex' in values,
    ...('flex_cost_percent' in values && {
      flex_cost_percent: wholeNumberIn(values.flex_cost_percent),
    }),
    offered_to: offered_to as ProviderModel['offered_to'],
    fallback: fallback || null,
    position: wholeNumberIn(values.position),
  };
}
