import { memo, type ReactNode } from 'react';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';

interface Props {
  label: string;
  columns?: readonly string[];
  rows: readonly (readonly string[])[];
}

/**
 * Rows as they were read. They never change places, so that their position is their name. Thousands of cells stay as they
 * are while a person types in the question below them.
 */
export const PreviewTable = memo(function PreviewTable({ label, columns, rows }: Props) {
  return (
    <ScrollRegion label={label} className="table ask-table">
      <table>
        {columns && (
          <thead>
            <tr>
              {cells(columns, (column, key) => (
                <th key={key} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <tr key={number}>
              {cells(row, (cell, key) => (
                <td key={key}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
});

function cells(row: readonly string[], show: (cell: string, key: string) => ReactNode) {
  return row.map((cell, index) => show(cell, String(index)));
}
