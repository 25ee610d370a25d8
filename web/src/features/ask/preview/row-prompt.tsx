import { compileTemplate, type Sheet } from '@rowmill/contract';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useRow } from '../api.ts';

interface Props {
  sheet: Sheet;
  question: string;
  variables: Readonly<Record<string, string>>;
  rows: number;
  index: number;
  /** The row's number as it is typed. */
  text: string;
  onText: (text: string) => void;
}

/** The question as it is asked for one row. */
export function RowPrompt({ sheet, question, variables, rows, index, text, onText }: Props) {
  const query = useRow(sheet, index);
  const go = (step: number) => onText(String(index + 1 + step));
  return (
    <div className="stack">
      <div className="ask-rowpicker">
        <Button variant="secondary" disabled={index === 0} onClick={() => go(-1)}>
          {texts.previous}
        </Button>
        <TextField
          label={texts.rowOf(formatNumber(rows))}
          name="row"
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={({ target }) => onText(target.value)}
          onBlur={() => onText(String(index + 1))}
        />
        <Button variant="secondary" disabled={index + 1 >= rows} onClick={() => go(1)}>
          {texts.next}
        </Button>
      </div>
      <Loading query={query}>
        {(cells) => (
          <ScrollRegion label={texts.askedForRow(formatNumber(index + 1))} className="ask-text">
            {cells
              ? compileTemplate(question, { columns: sheet.columns, variables })(cells)
              : texts.rowIsEmpty}
          </ScrollRegion>
        )}
      </Loading>
    </div>
  );
}

/** The position, from 0, of the row that a person names from 1; what is no row of the sheet becomes the nearest one. */
export function rowIndex(text: string, rows: number): number {
  const number = Math.trunc(Number(text));
  return Math.min(Math.max(Number.isFinite(number) ? number : 1, 1), Math.max(rows, 1)) - 1;
}
