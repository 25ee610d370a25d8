import type { Sheet } from '@rowmill/contract';
import type { FormEvent } from 'react';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/choice-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Revision } from '../api.ts';
import { delimitersWith, encodingsWith, knownDelimiter, wordsForDialect } from './dialects.ts';
import { PreviewTable } from './preview-table.tsx';

interface ReadingFormProps {
  dialect: Sheet['dialect'];
  busy: boolean;
  onRead: (revision: Revision) => void;
}

const headers = [
  ['yes', texts.headerYes],
  ['no', texts.headerNo],
] as const;

/** All three are always sent, so that choosing one does not set the others back to what was detected. */
export function ReadingForm({ dialect, busy, onRead }: ReadingFormProps) {
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { encoding, delimiter, header } = Object.fromEntries(
      new FormData(event.currentTarget),
    ) as Record<string, string>;
    onRead({ encoding, delimiter: knownDelimiter(delimiter), header: header === 'yes' });
  }
  return (
    <form className="stack" onSubmit={onSubmit}>
      <div className="two">
        <ChoiceField
          label={texts.encoding}
          name="encoding"
          defaultValue={dialect.encoding}
          choices={encodingsWith(dialect.encoding)}
        />
        <ChoiceField
          label={texts.delimiter}
          name="delimiter"
          defaultValue={dialect.delimiter}
          choices={delimitersWith(dialect.delimiter)}
        />
        <ChoiceField
          label={texts.isHeader}
          name="header"
          defaultValue={dialect.header ? 'yes' : 'no'}
          choices={headers}
        />
      </div>
      <div>
        <Button type="submit" variant="secondary" busy={busy}>
          {texts.readAnew}
        </Button>
      </div>
    </form>
  );
}

interface CandidateChoiceProps {
  sheet: Sheet;
  busy: boolean;
  onChoose: (revision: Revision) => void;
}

/** Where the bytes can be read in more than one way, a person decides by looking; nothing garbled goes on silently. */
export function CandidateChoice({ sheet, busy, onChoose }: CandidateChoiceProps) {
  return (
    <div className="stack">
      <Notice tone="warning">{texts.readingUnsure}</Notice>
      {sheet.candidates.map(({ encoding, delimiter, sample }) => {
        const words = wordsForDialect({ encoding, delimiter });
        const revision = { encoding, delimiter: knownDelimiter(delimiter) };
        return (
          <div key={words} className="ask-candidate">
            <h3>{words}</h3>
            <PreviewTable label={texts.sampleReadAs(words)} rows={sample} />
            <div>
              <Button variant="secondary" busy={busy} onClick={() => onChoose(revision)}>
                {texts.readAs(words)}
              </Button>
            </div>
          </div>
        );
      })}
    </div>
  );
}
