import { memo, type ReactNode } from 'react';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import styles from './sheet.module.css';

interface Props {
  label: string;
  rows: readonly (readonly string[])[];
}

/** The first rows of a sheet. Memoised: typing a prompt does not render all cells again. */
export const SampleTable = memo(function SampleTable({ label, rows }: Props) {
  return (
    <ScrollRegion label={label} className={styles.sample}>
      <table>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change places
            <tr key={index}>
              {mapCells(row, (cell, key) => (
                <td key={key}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
});

function mapCells(row: readonly string[], render: (cell: string, key: string) => ReactNode) {
  return row.map((cell, index) => render(cell, String(index)));
}
