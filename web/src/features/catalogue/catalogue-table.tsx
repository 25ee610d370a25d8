import type { ReactNode } from 'react';
import { useCan } from '../../lib/hooks/use-can.ts';
import * as texts from '../../texts/catalogue.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';

interface Row {
  id: string;
  name: string;
  marks: readonly string[];
  cells: readonly ReactNode[];
}

interface Props {
  label: string;
  /** Of what stands between the name and the actions. */
  titles: readonly string[];
  rows: readonly Row[];
  onEdit: (id: string) => void;
}

/** What is or was for sale, each with the way to edit it. */
export function CatalogueTable({ label, titles, rows, onEdit }: Props) {
  const canEdit = useCan('editCatalogue');
  return (
    <DataTable label={label} columns={[texts.name, ...titles, texts.actions]}>
      {rows.map(({ id, name, marks, cells }) => (
        <tr key={id}>
          <td>
            <strong>{name}</strong>
            <Marks marks={marks} />
          </td>
          {cells.map((cell, index) => (
            <td key={titles[index]} data-label={titles[index]}>
              {cell}
            </td>
          ))}
          <td>
            {canEdit && (
              <Button
                variant="secondary"
                aria-label={texts.editItem(name)}
                aria-haspopup="dialog"
                onClick={() => onEdit(id)}
              >
                {texts.edit}
              </Button>
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function Marks({ marks }: { marks: readonly string[] }) {
  return marks.map((mark) => (
    <span key={mark}>
      {' '}
      <span className="badge">{mark}</span>
    </span>
  ));
}
