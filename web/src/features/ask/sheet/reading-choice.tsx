import type { Sheet } from '@rowmill/contract';
import { memo } from 'react';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import type { ImportSettings } from '../api.ts';
import { asDelimiter, describeDialect } from './dialects.ts';
import styles from './sheet.module.css';

interface Props {
  sheet: Sheet;
  busy: boolean;
  onChoose: (settings: ImportSettings) => void;
}

type Candidate = Sheet['candidates'][number];

/** When a file can be read in several ways, a person picks one by looking at samples. */
export function ReadingChoice({ sheet, busy, onChoose }: Props) {
  const isWorkbook = sheet.dialect.format === 'workbook';
  return (
    <div className="stack">
      <Notice tone="warning">{isWorkbook ? texts.severalWorksheets : texts.severalReadings}</Notice>
      {sheet.candidates.map((candidate) => {
        const { title, sampleLabel, choose, settings } = describeChoice(sheet, candidate);
        return (
          <div key={title} className={styles.reading}>
            <h3>{title}</h3>
            <SampleTable label={sampleLabel} rows={candidate.sample} />
            <div>
              <Button variant="secondary" busy={busy} onClick={() => onChoose(settings)}>
                {choose}
              </Button>
            </div>
          </div>
        );
      })}
    </div>
  );
}

function describeChoice({ worksheets }: Sheet, { encoding, delimiter, worksheet }: Candidate) {
  if (typeof worksheet === 'number') {
    const title = worksheets[worksheet]?.name ?? '';
    return {
      title,
      sampleLabel: texts.firstRowsOf(title),
      choose: texts.takeWorksheet(title),
      settings: { worksheet },
    };
  }
  const title = describeDialect({ encoding, delimiter });
  return {
    title,
    sampleLabel: texts.sampleReadAs(title),
    choose: texts.readAs(title),
    settings: { encoding, delimiter: asDelimiter(delimiter) },
  };
}

interface PartProps {
  label: string;
  rows: readonly (readonly string[])[];
}

/** The first rows of a sheet. Memoised: typing a prompt does not render all cells again. */
const SampleTable = memo(function SampleTable({ label, rows }: PartProps) {
  return (
    <ScrollRegion label={label} className={styles.sample}>
      <table>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change places
            <tr key={index}>
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: nor do the cells
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
});
