import type { Sheet } from '@rowmill/contract';
import type { FormEvent } from 'react';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { ImportSettings } from '../api.ts';
import { asDelimiter, delimiterChoices, describeDialect, encodingChoices } from './dialects.ts';
import { SampleTable } from './sample-table.tsx';
import styles from './sheet.module.css';

interface FormProps {
  dialect: Sheet['dialect'];
  busy: boolean;
  onApply: (settings: ImportSettings) => void;
}

const headerChoices = [
  ['yes', texts.yes],
  ['no', texts.no],
] as const;

/** Always sends all three settings: a missing one would be detected again. */
export function ImportSettingsForm({ dialect, busy, onApply }: FormProps) {
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { encoding, delimiter, header } = Object.fromEntries(
      new FormData(event.currentTarget),
    ) as Record<string, string>;
    onApply({ encoding, delimiter: asDelimiter(delimiter), header: header === 'yes' });
  }
  return (
    <form className="stack" onSubmit={onSubmit}>
      <div className={`grid-2 ${styles.settings}`}>
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
        <ChoiceField
          label={texts.firstRowIsHeader}
          name="header"
          defaultValue={dialect.header ? 'yes' : 'no'}
          choices={headerChoices}
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

interface ChoiceProps {
  sheet: Sheet;
  busy: boolean;
  onChoose: (settings: ImportSettings) => void;
}

/** When the bytes can be read in several ways, a person picks one by looking at samples. */
export function ReadingChoice({ sheet, busy, onChoose }: ChoiceProps) {
  return (
    <div className="stack">
      <Notice tone="warning">{texts.severalReadings}</Notice>
      {sheet.candidates.map(({ encoding, delimiter, sample }) => {
        const dialect = describeDialect({ encoding, delimiter });
        const settings = { encoding, delimiter: asDelimiter(delimiter) };
        return (
          <div key={dialect} className={styles.reading}>
            <h3>{dialect}</h3>
            <SampleTable label={texts.sampleReadAs(dialect)} rows={sample} />
            <div>
              <Button variant="secondary" busy={busy} onClick={() => onChoose(settings)}>
                {texts.readAs(dialect)}
              </Button>
            </div>
          </div>
        );
      })}
    </div>
  );
}
