import { type AnswerOf, deleteFile, getFile, listFiles } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { invalidate, queriesOf, queryClient } from '../../lib/api/query.ts';
import { formatBytes, formatNumber, formatTime } from '../../lib/format.ts';
import { askPath } from '../../lib/paths.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/sheets.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CutName } from '../../ui/cut-name.tsx';
import { DataTable, ShortTime } from '../../ui/data-table.tsx';
import styles from './sheet-table.module.css';

type Sheet = AnswerOf<typeof listFiles>['files'][number];

interface Props {
  sheets: readonly Sheet[];
  onDeleted: () => void;
}

/** Table on wide screens, cards on narrow ones. */
export function SheetTable({ sheets, onDeleted }: Props) {
  return (
    <DataTable
      label={texts.tableOfSheets}
      columns={texts.columns}
      amounts={['rows', 'size', 'batches']}
      rows={sheets}
      keyOf={({ id }) => id}
      cells={({ name, rows, columns, stored_bytes, batches, created_at, expires_at }) => ({
        name: (
          <>
            <strong className={styles.name}>
              <CutName name={name} />
            </strong>
            {expires_at && <div className="muted">{texts.deletedOn(formatTime(expires_at))}</div>}
          </>
        ),
        rows: texts.rowsAndColumns(formatNumber(rows), formatNumber(columns)),
        size: formatBytes(stored_bytes),
        batches: batches ? formatNumber(batches) : texts.unused,
        uploaded: <ShortTime instant={created_at} />,
      })}
      actions={(sheet) => (
        <div className="row">
          <ButtonLink
            variant="ghost"
            to={askPath(sheet.id)}
            aria-label={texts.chooseNamed(sheet.name)}
          >
            {texts.choose}
          </ButtonLink>
          {sheet.batches === 0 && <DeleteSheet sheet={sheet} onDeleted={onDeleted} />}
        </div>
      )}
    />
  );
}

function DeleteSheet({ sheet: { id, name }, onDeleted }: { sheet: Sheet; onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const deletion = useMutation({
    mutationFn: () => call(deleteFile, { id }),
    onSuccess: async ({ message }) => {
      showToast('success', message ?? '');
      onDeleted();
      // A draft may have it.
      queryClient.removeQueries(queriesOf(getFile, { id }));
      await invalidate(listFiles);
    },
  });
  return (
    <>
      <Button
        variant="ghost"
        aria-label={texts.deleteNamed(name)}
        aria-haspopup="dialog"
        disabled={deletion.isPending}
        onClick={() => setAsking(true)}
      >
        {texts.deleteSheet}
      </Button>
      {isAsking && (
        <ConfirmDialog
          {...texts.confirmDelete}
          isDanger
          onConfirm={() => deletion.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{texts.deletedForGood(name)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
