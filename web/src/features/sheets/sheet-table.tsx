import { type AnswerOf, deleteFile, listFiles } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { invalidate } from '../../lib/api/query.ts';
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
      columns={Object.values(texts.columns)}
      amounts={[texts.columns.rows, texts.columns.size, texts.columns.batches]}
    >
      {sheets.map((sheet) => (
        <SheetRow key={sheet.id} sheet={sheet} onDeleted={onDeleted} />
      ))}
    </DataTable>
  );
}

function SheetRow({ sheet, onDeleted }: { sheet: Sheet; onDeleted: () => void }) {
  const { name, rows, columns, stored_bytes: size, batches, created_at: uploaded } = sheet;
  return (
    <tr>
      <td className={styles.cell}>
        <strong className={styles.name}>
          <CutName name={name} />
        </strong>
        {sheet.expires_at && (
          <div className="muted">{texts.deletedOn(formatTime(sheet.expires_at))}</div>
        )}
      </td>
      <td className="amount" data-label={texts.columns.rows}>
        {texts.rowsAndColumns(formatNumber(rows), formatNumber(columns))}
      </td>
      <td className="amount" data-label={texts.columns.size}>
        {formatBytes(size)}
      </td>
      <td className="amount" data-label={texts.columns.batches}>
        {batches ? formatNumber(batches) : texts.unused}
      </td>
      <td data-label={texts.columns.uploaded}>
        <ShortTime instant={uploaded} />
      </td>
      <td>
        <div className="row">
          <ButtonLink variant="ghost" to={askPath(sheet.id)} aria-label={texts.chooseNamed(name)}>
            {texts.choose}
          </ButtonLink>
          {batches === 0 && <DeleteSheet sheet={sheet} onDeleted={onDeleted} />}
        </div>
      </td>
    </tr>
  );
}

function DeleteSheet({ sheet: { id, name }, onDeleted }: { sheet: Sheet; onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const deletion = useMutation({
    mutationFn: () => call(deleteFile, { id }),
    onSuccess: async ({ message }) => {
      showToast('success', message ?? '');
      onDeleted();
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
