import { type AnswerOf, getProviders, type Provider } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { OperatorTabs } from '../../entities/operator-tabs.tsx';
import { useCan } from '../../lib/hooks/use-can.ts';
import { useOpenEdit } from '../../lib/hooks/use-open-edit.ts';
import * as texts from '../../texts/operator/providers.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StaleWhileError } from '../../ui/stale-while-error.tsx';
import { type Open, providersQuery } from './api.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { ModelDialog } from './model-dialog.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { ProviderSection } from './provider-section.tsx';
import { TestDialog } from './test-dialog.tsx';

/** Where models are asked. */
export function ProvidersPage() {
  const query = useQuery(providersQuery());
  return (
    <>
      <OperatorTabs />
      <StaleWhileError query={query}>{(answer) => <Providers {...answer} />}</StaleWhileError>
    </>
  );
}

function Providers({ providers, models, ...answer }: AnswerOf<typeof getProviders>) {
  const { pauses, failed_over, currency, can_store_keys } = answer;
  const { open, setOpen, showCurrent, close } = useOpenEdit(getProviders, refill);
  const canEdit = useCan('editProviders');
  const modelsOf = ({ id }: Provider) => models.filter(({ provider_id }) => provider_id === id);
  const labels = new Map(
    providers.flatMap((provider) =>
      modelsOf(provider).map(({ name, label }) => [
        name,
        provider.is_enabled ? label : texts.fallbackOff(label),
      ]),
    ),
  );
  return (
    <>
      <div className="spread">
        <p className="muted">{texts.intro}</p>
        {canEdit && (
          <Button
            aria-haspopup="dialog"
            onClick={() => setOpen({ kind: 'provider', provider: null })}
          >
            {texts.addProvider}
          </Button>
        )}
      </div>
      {!can_store_keys && (
        <Notice tone="warning" isStatic>
          {texts.noKeys}
        </Notice>
      )}
      {providers.map((provider) => (
        <ProviderSection
          key={provider.id}
          provider={provider}
          pause={pauses.find(({ provider_id }) => provider_id === provider.id)}
          models={modelsOf(provider)}
          labels={labels}
          failedOver={failed_over}
          currency={currency}
          onOpen={setOpen}
        />
      ))}
      {open?.kind === 'provider' && (
        <ProviderDialog
          key={open.provider?.version}
          provider={open.provider}
          onShowCurrent={showCurrent}
          onClose={close}
        />
      )}
      {open?.kind === 'model' && (
        <ModelDialog
          key={open.model?.version}
          {...open}
          models={models}
          providers={providers}
          currency={currency}
          onShowCurrent={showCurrent}
          onClose={close}
        />
      )}
      {open?.kind === 'delete' && (
        <DeleteDialog
          provider={open.provider}
          isUsed={modelsOf(open.provider).length > 0}
          onClose={close}
        />
      )}
      {open?.kind === 'test' && (
        <TestDialog
          provider={open.provider}
          asked={modelsOf(open.provider)[0]?.asked_as}
          onClose={close}
        />
      )}
    </>
  );
}

function refill(fresh: AnswerOf<typeof getProviders>, open: Open): Open | null {
  const providerOf = (id: string | null | undefined) =>
    fresh.providers.find((provider) => provider.id === id);
  if (open.kind !== 'model') {
    const provider = providerOf(open.provider?.id);
    return provider ? { ...open, provider } : null;
  }
  const model = fresh.models.find(({ name }) => name === open.model?.name);
  const provider = providerOf(model?.provider_id);
  return model && provider ? { ...open, provider, model } : null;
}
