import type { Batch } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { Download, FileText } from 'lucide-react';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/batches.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { ActionButton } from './action-button.tsx';
import { reasonAgainst } from './action-reasons.ts';
import {
  downloadOriginal,
  downloadResults,
  type ResultFormat,
  resultFormats,
} from './download-file.ts';

/** The results in every form, while the batch runs too, and the file as it was uploaded. */
export function DownloadMenu({ batch }: { batch: Batch }) {
  const get = useMutation({
    mutationFn: (what: ResultFormat | 'original') =>
      what === 'original' ? downloadOriginal(batch) : downloadResults(batch, what),
    onError: (error) => showToast('error', errorMessage(error)),
  });
  const shared = { of: batch.name, isBusy: get.isPending };
  return (
    <MenuButton label={texts.download} of={batch.name}>
      {(Object.keys(resultFormats) as ResultFormat[]).map((format) => (
        <ActionButton
          {...shared}
          key={format}
          label={resultFormats[format].label}
          icon={Download}
          reason={reasonAgainst('download', batch)}
          onAct={() => get.mutate(format)}
        />
      ))}
      <ActionButton
        {...shared}
        label={texts.originalFile}
        icon={FileText}
        onAct={() => get.mutate('original')}
      />
    </MenuButton>
  );
}
