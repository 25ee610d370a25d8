import { type Batch, getBatch } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { Download, FileText } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/api-client.ts';
import { invalidate } from '../../../lib/api/query.ts';
import { formatNumber } from '../../../lib/format.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/batches/batch.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { MenuButton, MenuChoice } from '../../../ui/menu-button.tsx';
import { ActionButton } from './action-button.tsx';
import { reasonAgainst } from './action-reasons.ts';
import styles from './batch-actions.module.css';
import {
  downloadOriginal,
  downloadResults,
  type ExtraColumn,
  extraColumns,
  type ResultFormat,
  resultFormats,
} from './download-file.ts';

interface Props {
  batch: Batch;
  isPrimary?: boolean;
  /** Shows only an icon. */
  isSmall?: boolean;
}

/** The results in each format, also while the batch runs, and the original file. */
export function DownloadMenu({ batch, isPrimary = false, isSmall = false }: Props) {
  const [extra, setExtra] = useState<readonly ExtraColumn[]>([]);
  const download = useMutation({
    mutationFn: (file: ResultFormat | 'original') =>
      file === 'original' ? downloadOriginal(batch) : downloadResults(batch, file, extra),
    onSuccess: (_, file) => {
      if (file !== 'original' && resultFormats[file].format === 'csv') void reportChanges(batch.id);
    },
  });
  const changes = batch.file_changes && texts.fileChanges(batch.file_changes, formatNumber);
  return (
    <>
      <MenuButton
        label={texts.download}
        of={batch.name}
        isSmall={isSmall}
        isBusy={download.isPending}
        icon={isPrimary || isSmall ? Download : undefined}
        variant={isPrimary ? 'primary' : 'secondary'}
      >
        {(Object.keys(resultFormats) as ResultFormat[]).map((format) => (
          <ActionButton
            key={format}
            label={texts.resultFormats[format]}
            of={batch.name}
            icon={Download}
            reason={
              reasonAgainst('download', batch) ??
              (format === 'unchanged' && batch.sheet_format !== 'delimited'
                ? texts.unchangedNeedsCsv
                : null)
            }
            isBusy={download.isPending}
            onAct={() => download.mutate(format)}
          />
        ))}
        <fieldset className={styles.extra}>
          <legend>{texts.alsoInclude}</legend>
          {extraColumns.map((column) => (
            <MenuChoice
              key={column}
              label={texts.extraColumns[column]}
              isOn={extra.includes(column)}
              onToggle={(isOn) =>
                setExtra(isOn ? [...extra, column] : extra.filter((other) => other !== column))
              }
            />
          ))}
        </fieldset>
        <ActionButton
          label={texts.originalFile}
          of={batch.name}
          icon={FileText}
          isBusy={download.isPending}
          onAct={() => download.mutate('original')}
        />
        {changes && <p className="muted">{texts.lastFileChanges(changes)}</p>}
      </MenuButton>
      <ErrorNote error={download.error} />
    </>
  );
}

/** The server counts while it streams, so the counts are there once the file is. */
async function reportChanges(id: string): Promise<void> {
  const { batch } = await call(getBatch, { id });
  const changes = batch.file_changes && texts.fileChanges(batch.file_changes, formatNumber);
  if (changes) showToast('info', changes);
  await invalidate(getBatch, { id });
}
