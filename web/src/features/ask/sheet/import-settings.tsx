import type { Sheet } from '@rowmill/contract';
import { type FormEvent, useId } from 'react';
import * as texts from '../../../texts/ask.ts';
import * as issues from '../../../texts/issues.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import type { ImportSettings } from '../api.ts';
import { asDelimiter, delimiterChoices, encodingChoices } from './dialects.ts';
import styles from './sheet.module.css';

interface Props {
  sheet: Sheet;
  busy: boolean;
  onApply: (settings: ImportSettings) => void;
}

/** What people change most is in sight; the rest is under “Import settings”. */
export function ImportControls({ sheet, busy, onApply }: Props) {
  const { dialect, worksheets } = sheet;
  const { format } = dialect;
  const hasChoice = worksheets.filter(({ filled }) => filled).length > 1;
  return (
    <>
      {hasChoice && <WorksheetField sheet={sheet} busy={busy} onApply={onApply} />}
      {sheet.is_sure && format !== 'json_lines' && (
        <HeaderSwitch sheet={sheet} busy={busy} onApply={onApply} />
      )}
      {format !== 'json_lines' && (
        <Disclosure title={texts.importSettings}>
          <ReadingForm
            key={JSON.stringify(dialect)}
            dialect={dialect}
            busy={busy}
            onApply={onApply}
          />
        </Disclosure>
      )}
    </>
  );
}

function WorksheetField({ sheet: { dialect, worksheets }, busy, onApply }: Props) {
  const choices = worksheets.flatMap(({ name, hidden, filled }, index) =>
    filled ? [[String(index), hidden ? texts.hiddenWorksheet(name) : name] as const] : [],
  );
  return (
    <ChoiceField
      label={texts.worksheet}
      value={String(dialect.worksheet)}
      disabled={busy}
      onChange={({ target }) => onApply({ worksheet: Number(target.value) })}
      choices={choices}
    />
  );
}

/** Sends the other settings too: a missing one would be detected again. */
function HeaderSwitch({ sheet: { dialect }, busy, onApply }: Props) {
  const id = useId();
  return (
    <div className={styles.switch}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={dialect.header}
        checked={dialect.header}
        disabled={busy}
        onChange={({ target }) => onApply({ ...settingsOf(dialect), header: target.checked })}
      />
      <label htmlFor={id}>{texts.firstRowIsHeader}</label>
    </div>
  );
}

/** Titles are found up to this row too. */
const rowsAbove = Array.from({ length: 21 }, (_, count) => String(count));

function ReadingForm({ dialect, busy, onApply }: Omit<Props, 'sheet'> & Pick<Sheet, 'dialect'>) {
  const skipped = String(dialect.skip_rows);
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { encoding, delimiter, skip } = Object.fromEntries(
      new FormData(event.currentTarget),
    ) as Record<string, string>;
    onApply({
      ...settingsOf(dialect),
      ...(encoding && delimiter && { encoding, delimiter: asDelimiter(delimiter) }),
      skip_rows: Number(skip),
    });
  }
  return (
    <form className="stack" onSubmit={onSubmit}>
      <div className={`grid-2 ${styles.settings}`}>
        {dialect.format === 'delimited' && (
          <>
            <ChoiceField
              label={texts.encoding}
              name="encoding"
              defaultValue={dialect.encoding}
              choices={encodingChoices(dialect.encoding)}
            />
            <ChoiceField
              label={texts.delimiter}
              name="delimiter"
              defaultValue={dialect.delimiter}
              choices={delimiterChoices(dialect.delimiter)}
            />
          </>
        )}
        <ChoiceField
          label={issues.rowsAbove}
          name="skip"
          defaultValue={skipped}
          choices={[...new Set([...rowsAbove, skipped])].map((count) => [count, count] as const)}
        />
      </div>
      <div>
        <Button type="submit" variant="secondary" busy={busy}>
          {texts.apply}
        </Button>
      </div>
    </form>
  );
}

/** All settings of a sheet, for changing one of them. */
export function settingsOf({
  format,
  encoding,
  delimiter,
  worksheet,
  comment,
  quote,
  ...rest
}: Sheet['dialect']): ImportSettings {
  if (worksheet !== null) return { ...rest, worksheet };
  return {
    ...rest,
    encoding,
    delimiter: asDelimiter(delimiter),
    comment: comment === '#' ? comment : '',
    quote: quote === "'" ? quote : '"',
  };
}
