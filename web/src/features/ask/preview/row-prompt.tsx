import { compileTemplate, type Sheet } from '@rowmill/contract';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { NumberField } from '../../../ui/form/text-field.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { useRow } from '../api.ts';
import styles from './preview.module.css';

/** Longer prompts are not sent either, with the default settings. */
const shownLength = 262_144;

interface Props {
  sheet: Sheet;
  prompt: string;
  variables: Readonly<Record<string, string>>;
  rows: number;
  index: number;
  onIndex: (index: number) => void;
}

/** The prompt filled in for one row, with buttons to its neighbours. */
export function RowPrompt(props: Props) {
  const { sheet, prompt, variables, rows, index, onIndex } = props;
  const query = useRow(sheet, index);
  const [rowText, setRowText] = useState(String(index + 1));
  const [known, setKnown] = useState(index);
  if (known !== index) {
    setKnown(index);
    if (rowIndex(rowText, rows) !== index) setRowText(String(index + 1));
  }
  return (
    <div className="stack">
      <div className={styles.controls}>
        <Button variant="secondary" aria-disabled={index === 0} onClick={() => onIndex(index - 1)}>
          {texts.previous}
        </Button>
        <NumberField
          label={texts.rowOf(formatNumber(rows))}
          name="row"
          value={rowText}
          onChange={({ target }) => {
            setRowText(target.value);
            onIndex(rowIndex(target.value, rows));
          }}
          onBlur={() => setRowText(String(index + 1))}
        />
        <Button
          variant="secondary"
          aria-disabled={index + 1 >= rows}
          onClick={() => onIndex(index + 1)}
        >
          {texts.next}
        </Button>
      </div>
      <Loading query={query}>
        {(cells) => (
          <ScrollRegion
            label={texts.promptForRow(formatNumber(index + 1))}
            className={styles.rowPrompt}
          >
            {cells
              ? (compileTemplate(prompt, { columns: sheet.columns, variables }).fill(
                  cells,
                  shownLength,
                ) ?? texts.promptTooLong)
              : texts.rowIsEmpty}
          </ScrollRegion>
        )}
      </Loading>
    </div>
  );
}

/** The index, from 0, of a row number typed from 1. Anything else gives the nearest row. */
export function rowIndex(text: string, rows: number): number {
  const number = Math.trunc(Number(text));
  return Math.min(Math.max(Number.isFinite(number) ? number : 1, 1), Math.max(rows, 1)) - 1;
}
