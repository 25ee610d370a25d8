import type { Sheet } from '@rowmill/contract';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Revision } from '../api.ts';
import { knownDelimiter, wordsForDialect } from '../dialects.ts';
import { PreviewTable } from './preview-table.tsx';

interface Props {
  sheet: Sheet;
  busy: boolean;
  onChoose: (revision: Revision) => void;
}

/** Where the bytes can be read in more than one way, a person decides by looking; nothing garbled goes on silently. */
export function CandidateChoice({ sheet, busy, onChoose }: Props) {
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
