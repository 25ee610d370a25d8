import type { AnswerOf, getProviders, Provider, ProviderModel } from '@rowmill/contract';
import { useId } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import { asCost } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/operator/providers.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Open } from './api.ts';

interface Props {
  provider: Provider;
  /** Set while batches wait for it. */
  pause: AnswerOf<typeof getProviders>['pauses'][number] | undefined;
  models: readonly ProviderModel[];
  /** What a model that falls back to another one shows for it, by its name. */
  labels: ReadonlyMap<string, string>;
  /** The models whose fallback answers now. */
  failedOver: readonly string[];
  currency: string;
  onOpen: (open: Open) => void;
}

export function ProviderSection({ provider, pause, ...props }: Props) {
  const { models, onOpen } = props;
  const id = useId();
  const { name, address, kind, has_key, concurrency, is_enabled, problem } = provider;
  const { requests_per_minute: requests, tokens_per_minute: tokens, limits_per } = provider;
  return (
    <section className="card stack" aria-labelledby={id}>
      <div className="spread">
        <div className="row">
          <h2 id={id}>{name}</h2>
          {provider.id === null && <span className="badge">{texts.ofEnvironment}</span>}
          {!is_enabled && <span className="badge warning">{texts.turnedOff}</span>}
        </div>
        <ProviderButtons provider={provider} onOpen={onOpen} />
      </div>
      {problem && (
        <Notice tone="error" isStatic>
          {problem}
        </Notice>
      )}
      {pause && (
        <Notice tone="warning" isStatic>
          <p>
            {texts.pausedBatches({
              batches: pause.batches,
              shown: formatNumber(pause.batches),
              isInUse: is_enabled,
            })}
          </p>
          {pause.reason && <p>{texts.pauseReason(pause.reason)}</p>}
        </Notice>
      )}
      <p className="muted long">
        {[
          address || texts.demo,
          ...(address ? [kindName(kind)] : []),
          has_key ? texts.keySaved : texts.noKey,
          texts.callsAtOnce(formatNumber(concurrency)),
          ...(requests === null ? [] : [texts.requestsAMinute(formatNumber(requests))]),
          ...(tokens === null ? [] : [texts.tokensAMinute(formatNumber(tokens))]),
          ...(limits_per === 'model' ? [texts.limitsOfEach] : []),
        ].join(' · ')}
      </p>
      {models.length === 0 ? (
        <p className="muted">{noModels(provider)}</p>
      ) : (
        <ModelTable provider={provider} {...props} />
      )}
    </section>
  );
}

function ProviderButtons({ provider, onOpen }: Pick<Props, 'provider' | 'onOpen'>) {
  const canEdit = useCan('editProviders');
  if (!canEdit) return null;
  const { id, name } = provider;
  const opening = (label: string, text: string, open: Open) => (
    <Button
      variant="secondary"
      aria-haspopup="dialog"
      aria-label={label}
      onClick={() => onOpen(open)}
    >
      {text}
    </Button>
  );
  return (
    <div className="row">
      {id !== null && opening(texts.editItem(name), texts.edit, { kind: 'provider', provider })}
      {provider.address && opening(texts.testItem(name), texts.test, { kind: 'test', provider })}
      {id !== null && opening(texts.removeItem(name), texts.remove, { kind: 'delete', provider })}
      {opening(texts.addModelTo(name), texts.addModel, { kind: 'model', provider, model: null })}
    </div>
  );
}

function ModelTable({
  provider,
  models,
  labels,
  failedOver,
  currency,
  onOpen,
}: Omit<Props, 'pause'>) {
  const canEdit = useCan('editProviders');
  return (
    <DataTable
      label={texts.modelsOf(provider.name)}
      columns={{
        model: texts.model,
        price: texts.price,
        costs: texts.costs(currency),
        offeredTo: texts.offeredTo,
        fallback: texts.fallback,
      }}
      rows={models}
      keyOf={({ name }) => name}
      cells={({ name, label, fallback, ...model }) => ({
        model: (
          <>
            <strong>{label}</strong>
            {label !== name && <div className="muted long">{name}</div>}
          </>
        ),
        price: texts.priceOf(
          formatNumber(model.submissions_per_row),
          model.price_tokens === null ? null : formatNumber(model.price_tokens),
        ),
        costs: describeCosts(model),
        offeredTo: texts.audiences[model.offered_to],
        fallback: fallback ? (
          <>
            {labels.get(fallback) ?? fallback}{' '}
            {failedOver.includes(name) && <span className="badge warning">{texts.answersNow}</span>}
          </>
        ) : (
          texts.none
        ),
      })}
      actions={(model) =>
        canEdit && (
          <Button
            variant="secondary"
            aria-haspopup="dialog"
            aria-label={texts.editItem(model.label)}
            onClick={() => onOpen({ kind: 'model', provider, model })}
          >
            {texts.edit}
          </Button>
        )
      }
    />
  );
}

function describeCosts(model: Omit<ProviderModel, 'name' | 'label' | 'fallback'>): string {
  const { input_cost, cached_cost, output_cost } = model;
  if (input_cost === null && output_cost === null) return texts.unknownCosts;
  const cost = (millionths: number | null) => asCost(millionths) || '?';
  return texts.costsOf({
    input: cost(input_cost),
    cached: cost(cached_cost ?? input_cost),
    output: cost(output_cost),
    flex: model.has_flex ? formatNumber(model.flex_cost_percent) : null,
  });
}

function noModels({ id, address }: Provider): string {
  if (id !== null) return texts.noModels;
  return address ? texts.noSettings : texts.noSettingsOfDemo;
}

function kindName(kind: string): string {
  return texts.kinds[kind as keyof typeof texts.kinds] ?? kind;
}
