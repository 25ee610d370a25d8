import type { AnswerOf, getProviders, Provider } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { OperatorTabs } from '../../entities/operator-tabs.tsx';
import { useCan } from '../../lib/hooks/use-can.ts';
import { paths } from '../../lib/paths.ts';
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

/** Where models are asked. The server refuses everyone but operators. */
export function ProvidersPage() {
  const mayView = useCan('viewInstallation');
  const query = useQuery({ ...providersQuery(), enabled: mayView });
  if (!mayView) return <Navigate to={paths.dashboard} replace />;
  return (
    <>
      <OperatorTabs />
      <StaleWhileError query={query}>{(answer) => <Providers {...answer} />}</StaleWhileError>
    </>
  );
}

function Providers({ providers, models, ...answer }: AnswerOf<typeof getProviders>) {
  const { pauses, currency, can_store_keys } = answer;
  const [open, setOpen] = useState<Open | null>(null);
  const canEdit = useCan('editProviders');
  const close = () => setOpen(null);
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
          currency={currency}
          onOpen={setOpen}
        />
      ))}
      {open?.kind === 'provider' && <ProviderDialog provider={open.provider} onClose={close} />}
      {open?.kind === 'model' && (
        <ModelDialog
          {...open}
          models={models}
          providers={providers}
          currency={currency}
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
